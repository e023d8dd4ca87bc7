import { type MessageEvent, messageEvents } from '../../networks/index.ts';

/** What a webhook can be told of messages, by the names that people choose it by. */
export type EventName = `message.${MessageEvent}`;

export const eventNames: readonly EventName[] = messageEvents.map(nameOf);

export function nameOf(event: MessageEvent): EventName {
  return `message.${event}`;
}

export function isEventName(word: string): word is EventName {
  return (eventNames as readonly string[]).includes(word);
}

/** A list of names as it is stored. */
export function storedNames(names: readonly EventName[]): string {
  return JSON.stringify(eventNames.filter((name) => names.includes(name)));
}

/** The names in a list as it is stored, as far as this release knows them. */
export function namesIn(list: string): EventName[] {
  return (JSON.parse(list) as string[]).filter(isEventName);
}

/** The events in a list as it is stored. */
export function eventsIn(list: string): MessageEvent[] {
  const names = namesIn(list);
  return messageEvents.filter((event) => names.includes(nameOf(event)));
}
