import { z } from 'zod';
import { OperatorError } from './errors.ts';

const mistake = 'must be a day such as 2026-12-31 or a time with zone such as 2026-12-31T18:00Z';

/** A day (its first moment, UTC) or a time with zone, both ISO 8601, in epoch milliseconds. Seconds may be left out. */
export const moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })], { error: mistake })
  .transform((text) => Date.parse(text));

/** The same for a text by itself. Throws OperatorError for any other. */
export function readMoment(text: string): number {
  const { data } = moment.safeParse(text);
  if (data === undefined) throw new OperatorError(`it ${mistake}`);
  return data;
}
