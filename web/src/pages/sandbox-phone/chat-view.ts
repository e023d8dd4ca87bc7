import type { SandboxChatMessage } from '../../../../src/portal/wire/sandbox.ts';
import { textIn } from './message/content-fields.ts';

export interface Quote {
  /** Its author according to the reply: a number of the account, or the owner of the phone. */
  readonly author: string | 'own';
  /** null when the phone does not have it. */
  readonly message: SandboxChatMessage | null;
}

/** Why a reaction belongs to no message: the chat has no such message, or the reaction names the wrong author. */
export type Detached = 'unknown' | 'own';

export type ChatLine =
  | { readonly kind: 'day'; readonly key: string; readonly at: string }
  | {
      readonly kind: 'message';
      readonly key: string;
      readonly message: SandboxChatMessage;
      /** The first of several that come from the same number on the same day. */
      readonly first: boolean;
      /** Its current reactions, in the order of their arrival. */
      readonly reactions: string;
      readonly quote: Quote | null;
    }
  | {
      readonly kind: 'reaction';
      readonly key: string;
      readonly message: SandboxChatMessage;
      readonly emoji: string | null;
      readonly why: Detached;
    };

/** A chat as the phone shows it: headings for the days, reactions at their messages, replies with their quotes. `messages` is oldest first. */
export function linesOf(messages: readonly SandboxChatMessage[]): readonly ChatLine[] {
  const byId = new Map(messages.filter(({ type }) => type !== 'reaction').map((message) => [message.message_id, message]));
  const reactions = reactionsOf(messages, byId);
  const lines: ChatLine[] = [];
  let day = '';
  let sender = '';
  for (const message of messages) {
    const detached = message.type === 'reaction' ? targetOf(message, byId).detached : null;
    if (message.type === 'reaction' && detached === null) continue;
    const thisDay = new Date(message.received_at).toDateString();
    if (thisDay !== day) {
      lines.push({ kind: 'day', key: `day ${thisDay}`, at: message.received_at });
      day = thisDay;
      sender = '';
    }
    const key = `${message.from} ${message.message_id}`;
    if (detached !== null) {
      lines.push({ kind: 'reaction', key, message, emoji: textIn(message.content, 'emoji'), why: detached });
      sender = '';
      continue;
    }
    const on = reactions.get(message.message_id);
    lines.push({
      kind: 'message',
      key,
      message,
      first: message.from !== sender,
      reactions: on === undefined ? '' : [...on.values()].join(''),
      quote: quoteOf(message, byId),
    });
    sender = message.from;
  }
  return lines;
}

type Known = ReadonlyMap<string, SandboxChatMessage>;

/** The reactions to each message. The last one of each sender counts; an empty one removes it. */
function reactionsOf(messages: readonly SandboxChatMessage[], byId: Known): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const reactions = new Map<string, Map<string, string>>();
  for (const message of messages) {
    if (message.type !== 'reaction') continue;
    const { id, detached } = targetOf(message, byId);
    if (detached !== null) continue;
    const on = reactions.get(id) ?? new Map<string, string>();
    reactions.set(id, on);
    const emoji = textIn(message.content, 'emoji');
    if (emoji === null) on.delete(message.from);
    else on.set(message.from, emoji);
  }
  return reactions;
}

/** A phone finds the message by its id and its author, who must be the reaction's sender. */
function targetOf(reaction: SandboxChatMessage, byId: Known): { readonly id: string; readonly detached: Detached | null } {
  const id = textIn(reaction.content, 'message_id') ?? '';
  const found = byId.get(id);
  if (found === undefined || found.from !== reaction.from) return { id, detached: 'unknown' };
  return { id, detached: reaction.content.from_me === true ? null : 'own' };
}

function quoteOf({ quoted, from }: SandboxChatMessage, byId: Known): Quote | null {
  if (quoted === null) return null;
  return { author: quoted.from_me ? from : 'own', message: byId.get(quoted.message_id) ?? null };
}
