import { type MessageEvent, messageEvents } from '../../networks/index.ts';

/** What a condition is about: one number, one account, or the installation, which concerns its operators alone. */
export type Scope = 'number' | 'account' | 'installation';

/** What targets are notified of, when it begins and when it ends. The text describes the beginning, for people. */
export const conditions = {
  number_needs_person: { scope: 'number', text: 'a number was linked, and only a person can bring it back' },
  number_restricted: { scope: 'number', text: 'WhatsApp restricts a number: banned for a time, or no new chats' },
  trial_nearly_used: { scope: 'account', text: 'four fifths of a trial account’s messages are used' },
  access_ending: { scope: 'account', text: 'the plan or the access of an account ends within 7 days, or has ended' },
  client_version_ending: {
    scope: 'installation',
    text: 'the version that numbers connect to WhatsApp with is old, or WhatsApp has announced its end',
  },
  disk_nearly_full: { scope: 'installation', text: 'less than 1 GiB is free where a server keeps its files' },
  error_rate_high: { scope: 'installation', text: 'many of a server’s sends of the last 10 minutes failed with 5xx (ALERT_ERROR_PERCENT)' },
  writes_failing: { scope: 'installation', text: 'writes to the database have been failing for 5 minutes' },
  mail_unreachable: { scope: 'installation', text: 'the mail server took none of the last mails' },
  server_lost: { scope: 'installation', text: 'a server has been gone for 2 minutes without having been stopped' },
} as const satisfies Readonly<Record<string, { readonly scope: Scope; readonly text: string }>>;

/** The subject of a condition of the installation that is the same for all servers. */
export const everyServer = 'gateway';

export type Condition = keyof typeof conditions;

/** The conditions that servers measure. */
export type MachineCondition = { [Name in Condition]: (typeof conditions)[Name]['scope'] extends 'installation' ? Name : never }[Condition];

export const conditionNames = Object.keys(conditions) as Condition[];

export function isCondition(word: string): word is Condition {
  return Object.hasOwn(conditions, word);
}

/** The conditions that a target can have: those of the installation are for its operators' own targets. */
export function conditionsFor(of: 'all' | 'some'): Condition[] {
  return conditionNames.filter((name) => of === 'all' || scopeOf(name) !== 'installation');
}

export function scopeOf(condition: Condition): Scope {
  return conditions[condition].scope;
}

/** A message event as targets choose it. */
export type EventName = `message.${MessageEvent}`;

export const eventNames: readonly EventName[] = messageEvents.map((event): EventName => `message.${event}`);

export function isEventName(word: string): word is EventName {
  return (eventNames as readonly string[]).includes(word);
}

export function storedNames(names: readonly EventName[]): string {
  return JSON.stringify(eventNames.filter((name) => names.includes(name)));
}

/** The names in a stored list, as far as this release knows them. */
export function namesIn(list: string): EventName[] {
  return (JSON.parse(list) as string[]).filter(isEventName);
}

/** The events in a stored list of names. */
export function eventsIn(list: string): MessageEvent[] {
  const names = namesIn(list);
  return messageEvents.filter((event) => names.includes(`message.${event}`));
}
