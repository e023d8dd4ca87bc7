import type { AlertCondition, AlertDeliveryView, AlertTargetView, MessageEventName } from '../../../../src/portal/wire/alerts.ts';
import { locale, t } from '../../language/language.ts';
import { shownTimeOfDay } from '../shown-moment.ts';

interface ConditionWords {
  readonly name: string;
  readonly text: string;
  /** Told to those who run the gateway alone. */
  readonly installation?: true;
}

/** What each condition is called. */
export const conditionWords: Readonly<Record<AlertCondition, ConditionWords>> = {
  number_needs_person: { name: t('A number needs a person'), text: t('It was linked, and only a person can bring it back.') },
  number_restricted: { name: t('A number is restricted'), text: t('WhatsApp has banned it for a time, or lets it start no new chats.') },
  trial_nearly_used: { name: t('A trial is nearly used up'), text: t('Four fifths of its messages have been sent.') },
  access_ending: { name: t('A plan or access is ending'), text: t('It ends within 7 days, or has ended.') },
  client_version_ending: {
    name: t('The WhatsApp version is ending'),
    text: t('It is old, or WhatsApp has announced when it will refuse it.'),
    installation: true,
  },
  disk_nearly_full: { name: t('A disk is nearly full'), text: t('Less than 1 GiB is free for the files of a server.'), installation: true },
  error_rate_high: {
    name: t('Many sends fail'),
    text: t("Too many of a server's sends in the last 10 minutes failed."),
    installation: true,
  },
  writes_failing: { name: t('Writes fail'), text: t('Writes to the database have been failing for 5 minutes.'), installation: true },
  mail_unreachable: {
    name: t('E-mails cannot be sent'),
    text: t('The mail server accepted none of the last e-mails.'),
    installation: true,
  },
  server_lost: { name: t('A server is gone'), text: t('It was not stopped, but has been silent for 2 minutes.'), installation: true },
};

export const eventWords: Readonly<Record<MessageEventName, { readonly name: string; readonly text: string }>> = {
  'message.delivered': { name: t('A message is delivered'), text: t('A device of its recipient has it.') },
  'message.read': { name: t('A message is read'), text: t('Its recipient has read or played it.') },
  'message.lost': { name: t('A message is lost'), text: t('It was accepted, but a device of its recipient can no longer get it.') },
};

/** What a condition is called; itself when another release knows it. */
export const conditionName = (condition: string): string => nameIn(conditionWords, condition);

/** What an event of messages is called; itself when another release knows it. */
export const eventName = (event: string): string => nameIn(eventWords, event);

function nameIn(words: Readonly<Record<string, { readonly name: string }>>, key: string): string {
  return words[key]?.name ?? key;
}

/** All events of messages, in the order in which they are listed. */
export const eventNames = Object.keys(eventWords) as MessageEventName[];

/** The conditions that a target can have, in the order in which they are listed. */
export function conditionsOf({ installation }: { readonly installation: boolean }): AlertCondition[] {
  const names = Object.keys(conditionWords) as AlertCondition[];
  return names.filter((name) => installation || conditionWords[name].installation !== true);
}

/** What a target is told of, in few words. */
export function shownConditions(target: Pick<AlertTargetView, 'conditions' | 'events' | 'account_id' | 'provider_id'>): string {
  const all = conditionsOf({ installation: target.account_id === null && target.provider_id === null });
  const events = target.events.map((name) => eventWords[name].name);
  if (all.some((name) => !target.conditions.includes(name)))
    return listedNames([...target.conditions.map((name) => conditionName(name)), ...events]);
  return events.length === 0 ? t('Everything') : listedNames([t('Everything that is wrong'), ...events]);
}

/**
 * Names of conditions and events in one sentence: only the first keeps the capital that it has alone, and words like “API” keep theirs. Semicolons,
 * because some names contain “and” or “or”.
 */
export function listedNames(names: readonly string[]): string {
  return names.map((name, place) => (place === 0 || /^\p{L}+\p{Lu}/u.test(name) ? name : goingOn(name))).join('; ');
}

function goingOn(name: string): string {
  return name.charAt(0).toLocaleLowerCase(locale()) + name.slice(1);
}

/** When a target is told nothing. */
export function shownQuietHours({
  quiet_from,
  quiet_to,
  time_zone,
}: Pick<AlertTargetView, 'quiet_from' | 'quiet_to' | 'time_zone'>): string {
  if (quiet_from === null || quiet_to === null) return t('None', { context: 'hours' });
  return `${shownTimeOfDay(quiet_from)} – ${shownTimeOfDay(quiet_to)} (${time_zone ?? 'UTC'})`;
}

/** How a target is spoken of: the address of a webhook without its path, which may be long and secret. */
export function targetName({ kind, address }: Pick<AlertTargetView, 'kind' | 'address'>): string {
  return kind === 'webhook' ? (URL.parse(address)?.host ?? address) : address;
}

type DeliveryState = AlertDeliveryView['state'];

export const deliveryStates: Readonly<Record<DeliveryState, { readonly color: string; readonly text: string }>> = {
  delivered: { color: 'teal', text: t('Delivered') },
  waiting: { color: 'yellow', text: t('Being tried') },
  given_up: { color: 'red', text: t('Given up') },
};
