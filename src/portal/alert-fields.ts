import { z } from 'zod';
import { type Condition, conditionNames, type EventName, eventNames, type QuietHours, readQuietHours } from '../alerts/index.ts';
import { GatewayError, OperatorError } from '../core/index.ts';
import { checkEmail } from '../people/index.ts';
import type { PortalOptions } from './portal-options.ts';

// Pieces of bodies: who is alerted of what, and when.

/** A URL or an e-mail address; `approvedAddress` judges it. */
export const alertAddress = z.string().min(1).max(2048);

export const alertConditions = z
  .array(z.enum(conditionNames as [Condition, ...Condition[]]))
  .max(conditionNames.length)
  .transform((names) => [...new Set(names)]);

export const alertEvents = z
  .array(z.enum(eventNames as unknown as [EventName, ...EventName[]]))
  .max(eventNames.length)
  .transform((names) => [...new Set(names)]);

const hourOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day such as 22:00' });

/** Quiet hours as fields of a body: all null or absent, or all three given. */
export const quietFields = {
  quiet_from: hourOfDay.nullish(),
  quiet_to: hourOfDay.nullish(),
  time_zone: z.string().min(1).max(64).nullish(),
};

/** The quiet hours of a body; null: none, undefined: not given. Throws invalid_request naming the field that is wrong. */
export function quietHoursOf({
  quiet_from: from,
  quiet_to: to,
  time_zone: timeZone,
}: z.output<z.ZodObject<typeof quietFields>>): QuietHours | null | undefined {
  if (from == null && to == null) return from === null || to === null ? null : undefined;
  if (from == null) throw wrong('quiet_from', 'must be a time of day where quiet_to is one');
  if (to == null) throw wrong('quiet_to', 'must be a time of day where quiet_from is one');
  if (from === to) throw wrong('quiet_to', 'must be another time than quiet_from');
  try {
    return readQuietHours(`${from}-${to}`, timeZone ?? 'UTC');
  } catch (error) {
    if (error instanceof OperatorError) throw wrong('time_zone', 'must be a time zone such as Europe/Berlin or UTC');
    throw error;
  }
}

/**
 * The address as it is stored. Throws invalid_request when it is no public web address or no e-mail address, or when there is no mail server:
 * what is sent reveals who is whose customer.
 */
export async function approvedAddress({ guard, mail }: PortalOptions, kind: 'webhook' | 'mail', address: string): Promise<string> {
  if (kind === 'webhook') {
    try {
      return (await guard.check({ field: 'address', url: address })).url;
    } catch (error) {
      if (error instanceof GatewayError)
        throw wrong('address', 'must be a public http or https address with neither user name nor password');
      throw error;
    }
  }
  if (mail === null) throw wrong('address', 'must be that of a webhook: this gateway has no mail server');
  try {
    return checkEmail(address);
  } catch (error) {
    if (error instanceof OperatorError) throw wrong('address', 'must be an e-mail address');
    throw error;
  }
}

function wrong(field: string, expected: string): GatewayError {
  return new GatewayError('invalid_request', `${field} ${expected}`, { field });
}
