import { InvalidArgumentError } from 'commander';
import {
  type AlertBody,
  type Condition,
  conditionNames,
  conditions,
  type EventName,
  eventNames,
  eventTexts,
  isCondition,
  isEventName,
  type Target,
  timeOfDay,
} from '../alerts/index.ts';
import { iso, isoOrNull } from '../core/index.ts';
import { type Columns, list } from './output.ts';

/** Conditions with commas between them, or none. */
export function conditionList(text: string): Condition[] {
  return listOf(text, isCondition, conditionNames);
}

/** Message events with commas between them, or none. */
export function eventList(text: string): EventName[] {
  return listOf(text, isEventName, eventNames);
}

function listOf<Name extends string>(text: string, isName: (word: string) => word is Name, names: readonly Name[]): Name[] {
  if (text === 'none') return [];
  const words = text.split(',').map((word) => word.trim());
  const known = words.filter(isName);
  if (known.length !== words.length) throw new InvalidArgumentError(`It must be a list of: ${names.join(', ')}; or none.`);
  return known;
}

export function conditionsText(): string {
  return definitions(conditionNames.map((name) => [name, conditions[name].text]));
}

export function eventsText(): string {
  return definitions(Object.entries(eventTexts).map(([event, text]) => [`message.${event}`, text]));
}

function definitions(rows: readonly (readonly [string, string])[]): string {
  const widest = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(widest)}  ${text}`).join('\n');
}

/** What became of which message is for the webhook alone. */
export function shownBody(body: AlertBody): object {
  return body.type === 'messages' ? { type: body.type, timestamp: body.timestamp, events: body.data.events.length } : body;
}

export function targetJson({ id, quiet_from, quiet_to, time_zone, created_at, previous_until, confirm_by, ...target }: Target) {
  return {
    target_id: id,
    ...target,
    quiet_hours: quiet_from === null || quiet_to === null ? null : { from: timeOfDay(quiet_from), to: timeOfDay(quiet_to), time_zone },
    previous_secret_until: isoOrNull(previous_until),
    created_at: iso(created_at),
    confirm_by: isoOrNull(confirm_by),
  };
}

export function targetsText(targets: readonly Target[]): string {
  const columns: Columns<Target> = {
    KIND: ({ kind }) => kind,
    ADDRESS: ({ address }) => address,
    OF: ({ account_id, provider_id }) =>
      account_id !== null ? `account ${account_id}` : provider_id !== null ? `provider ${provider_id}` : 'everything',
    GETS: ({ conditions, events }) => [...(conditions.length === conditionNames.length ? ['all'] : conditions), ...events].join(','),
    QUIET: ({ quiet_from, quiet_to, time_zone }) =>
      quiet_from === null || quiet_to === null ? null : `${timeOfDay(quiet_from)}-${timeOfDay(quiet_to)} ${time_zone}`,
    'TARGET ID': ({ id }) => id,
  };
  return list(targets, columns, 'Nobody is alerted yet. Add somebody with gateway alert create.');
}
