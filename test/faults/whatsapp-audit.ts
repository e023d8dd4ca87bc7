import type { ReceivedMessage, WhatsAppServer } from 'whatsapp-test-server';
import type { Store } from '../../src/store/index.ts';
import { auditClaims, auditUsage } from './audit.ts';
import type { Sender } from './customers.ts';
import type { WhatsAppSend } from './whatsapp-load.ts';

/** What the customers' side of a run knows. */
export interface Told {
  readonly senders: readonly Sender[];
  /** All of them answered. */
  readonly sends: readonly WhatsAppSend[];
  readonly recipients: readonly string[];
  /** Ids of messages that the numbers' phones have sent themselves. */
  readonly ofPhones?: ReadonlySet<string>;
  /** What else is wrong with a message on its recipient's phone; null for nothing. */
  readonly judge?: (send: WhatsAppSend, message: ReceivedMessage) => string | null;
}

/** What does not fit between what customers were told, what recipients' phones decrypted, and what was counted; empty when all is well. */
export async function auditWhatsApp(server: WhatsAppServer, store: Store, told: Told): Promise<string[]> {
  return [
    ...(await auditPhones(server, told)),
    ...auditLinks(server, told.senders),
    ...(await auditUsage(store, told.senders, told.sends)),
    ...(await auditClaims(store, told.sends)),
  ];
}

/** One message per key on its recipient's phone, with what the customer wrote, under the id that was answered; and none besides. */
export async function auditPhones(server: WhatsAppServer, { senders, sends, recipients, ofPhones, judge }: Told): Promise<string[]> {
  const wrong: string[] = [];
  const shown = new Map<string, ReceivedMessage>();
  const ours = new Set(senders.map(({ phoneNumber }) => phoneNumber));
  for (const number of recipients) {
    for (const received of await server.person(number).everReceived()) {
      const { from, id } = received;
      if (ours.has(from) && ofPhones?.has(id) !== true) shown.set(`${from} ${number} ${id}`, received);
    }
  }
  for (const send of sends) {
    const { key, sender, to, mark, result } = send;
    const name = `${sender.phoneNumber} ${to} ${result?.message_id}`;
    const received = shown.get(name);
    // Each is taken away once, so that what is left over was asked for by nobody, and two keys cannot share one.
    shown.delete(name);
    if (received === undefined)
      wrong.push(`${key} was answered and its message ${name} is not on the phone${fateOf(server, result?.message_id)}`);
    else if (mark !== null && !JSON.stringify(received.message).includes(mark)) wrong.push(`${key} arrived as something else`);
    const objection = received === undefined ? null : (judge?.(send, received) ?? null);
    if (objection !== null) wrong.push(objection);
  }
  for (const name of shown.keys()) wrong.push(`${name} is on a phone and no key was answered with it`);
  return wrong;
}

/** What the network noted of a message, to find out what became of it. */
export function fateOf({ record }: WhatsAppServer, id: unknown): string {
  const noted = record.problems.filter((problem) => problem.includes(String(id)));
  const retries = record.receipts.filter((receipt) => receipt.id === id).map(({ type }) => type);
  const sent = record.envelopes.filter((envelope) => envelope.id === id);
  const ways = sent.map(({ to, attrs, children, refusal }) => JSON.stringify([to, attrs.recipient, children, refusal]));
  const times = record.stanzas.filter((stanza) => stanza.id === id).length;
  return `: ${times} times on the wire; ${[...noted, ...retries, ...ways].join('; ') || 'nothing was noted'}`;
}

/** Every number is linked, and none was unlinked on the way. */
export function auditLinks(server: WhatsAppServer, senders: readonly Sender[]): string[] {
  const linked = new Set(server.record.linked());
  return [
    ...senders.filter(({ phoneNumber }) => !linked.has(phoneNumber)).map(({ phoneNumber }) => `${phoneNumber} is not linked any more`),
    ...server.record.logouts.map((number) => `${number} was logged out`),
  ];
}
