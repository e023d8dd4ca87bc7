import type { Sender } from './customers.ts';
import { KeyedLoad, type KeyedSend } from './keyed-load.ts';
import type { Pace } from './pace.ts';
import type { Seeded } from './seeded.ts';
import { type MediaLinks, mixedContent } from './whatsapp-kinds.ts';

/** One keyed send over WhatsApp. */
export interface WhatsAppSend extends KeyedSend {
  /** Text that the recipient must find in the message. */
  readonly mark: string | null;
  /** When it was thought of. */
  readonly begunAt: number;
}

/** A load of sends over WhatsApp. */
export type WhatsAppLoad = KeyedLoad<WhatsAppSend>;

interface WhatsAppLoadOptions {
  readonly random: Seeded;
  readonly senders: readonly Sender[];
  /** Numbers that are written to. */
  readonly recipients: readonly string[];
  readonly pace?: Pace;
  readonly media?: MediaLinks;
  /** Reasons (`details.reason`) for which the network's faults may refuse a send that is asked for again, besides 5xx. */
  readonly excused?: readonly string[];
  /** A chat that is to be written to more often than by chance; null for none. */
  readonly often?: () => { readonly sender: Sender; readonly to: string } | null;
}

/** How many of the messages go to such a chat. */
const oftenPart = 0.3;

/** Numbers of so many different people. */
export function people(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `4915150${String(10_000 + n)}`);
}

/** A load of sends of every kind that the options allow, each of a sender and to a recipient of chance. */
export function whatsappLoad({ random, senders, recipients, pace, media, excused = [], often }: WhatsAppLoadOptions): WhatsAppLoad {
  const create = (number: number): WhatsAppSend => {
    const { sender, to } = (random.chance(oftenPart) ? often?.() : null) ?? { sender: random.pick(senders), to: random.pick(recipients) };
    const key = `key-${random.seed}-${String(number).padStart(6, '0')}`;
    const { type, fields, mark } = mixedContent(random, `mark-${key}-end`, media ?? null);
    const body = { instance_id: sender.instanceId, to, ...fields };
    return { key, sender, type, to, mark, body, begunAt: Date.now(), result: null };
  };
  return new KeyedLoad({
    ...{ random, pace, create, repeats: 0.05 },
    allows: ({ status, reason }) => status >= 500 || (typeof reason === 'string' && excused.includes(reason)),
  });
}
