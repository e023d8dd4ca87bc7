import {
  type BinaryNode,
  extractDeviceJids,
  type FullJid,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  USyncQuery,
  USyncUser,
} from 'baileys';
import type { SendingSocket } from './socket.ts';

/** What the network says of one number: the JID it answers on, or null when nobody answers. */
type Contact = string | null;

/**
 * Asks which numbers (digits) are on the network, in one query. A number of which the answer says nothing certain is left out of the map.
 * Rejects when the network did not answer or refused the query as a whole.
 */
export async function askContacts(
  sock: Pick<SendingSocket, 'query' | 'generateMessageTag'>,
  numbers: readonly string[],
  timeoutMs: number,
): Promise<Map<string, Contact>> {
  const answer: unknown = await sock.query(contactQuery(numbers, sock.generateMessageTag()), timeoutMs);
  if (!isNode(answer)) throw new Error('the network did not answer a contact query');
  return matched(numbers, contactsOf(answer));
}

/** The devices of a user with this JID, and its LID, from the network. Rejects when the network did not answer. */
export async function askDevices(
  sock: Pick<SendingSocket, 'executeUSyncQuery' | 'signalRepository' | 'user'>,
  jid: string,
): Promise<FullJid[]> {
  const query = new USyncQuery().withContext('message').withDeviceProtocol().withLIDProtocol().withUser(new USyncUser().withId(jid));
  const result = await sock.executeUSyncQuery(query);
  if (result === undefined) throw new Error('the network did not answer a device query');
  const mappings = result.list.flatMap(({ id, lid }) => (typeof lid === 'string' ? [{ pn: id, lid }] : []));
  if (mappings.length > 0) await sock.signalRepository.lidMapping.storeLIDPNMappings(mappings);
  return extractDeviceJids(result.list, sock.user?.id ?? '', sock.user?.lid ?? '', false);
}

/** Asks for the LID of a user with this JID, and keeps it. Rejects when the network did not answer. */
export async function askLid(sock: Pick<SendingSocket, 'executeUSyncQuery' | 'signalRepository'>, jid: string): Promise<void> {
  const query = new USyncQuery().withContext('background').withLIDProtocol().withUser(new USyncUser().withId(jid));
  const result = await sock.executeUSyncQuery(query);
  if (result === undefined) throw new Error('the network did not answer a question for a LID');
  const mappings = result.list.flatMap(({ id, lid }) => (typeof lid === 'string' ? [{ pn: id, lid }] : []));
  if (mappings.length > 0) await sock.signalRepository.lidMapping.storeLIDPNMappings(mappings);
}

interface Found {
  /** The number it is about: as it was asked where the network repeats that, else the one that answers. */
  readonly number: string | null;
  /** undefined: the network could not say. */
  readonly contact: Contact | undefined;
}

function contactQuery(numbers: readonly string[], sid: string): BinaryNode {
  const list = numbers.map((number) => ({
    tag: 'user',
    attrs: {},
    content: [{ tag: 'contact', attrs: {}, content: `+${number}` }],
  }));
  return {
    tag: 'iq',
    attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'usync' },
    content: [
      {
        tag: 'usync',
        attrs: { context: 'interactive', mode: 'query', sid, last: 'true', index: '0' },
        content: [
          { tag: 'query', attrs: {}, content: [{ tag: 'contact', attrs: {} }] },
          { tag: 'list', attrs: {}, content: list },
        ],
      },
    ],
  };
}

function contactsOf(answer: BinaryNode): Found[] {
  const list = getBinaryNodeChild(getBinaryNodeChild(answer, 'usync'), 'list');
  if (list === undefined) throw new Error('the network answered a contact query without a list');
  return getBinaryNodeChildren(list, 'user').map((user) => {
    const contact = getBinaryNodeChild(user, 'contact');
    const text = contact?.content instanceof Uint8Array ? Buffer.from(contact.content).toString('utf8') : contact?.content;
    const asked = typeof text === 'string' && text !== '' ? text.replace(/^\+/, '') : null;
    // A user may be named by its LID, which is no number; then its number stands beside it.
    const named = user.attrs.jid?.endsWith('@lid') ? user.attrs.pn_jid : user.attrs.jid;
    const jid = named ?? (asked === null ? null : jidOf(asked));
    const number = asked ?? digitsOf(jid);
    if (contact === undefined || getBinaryNodeChild(contact, 'error') !== undefined) return { number, contact: undefined };
    return { number, contact: contact.attrs.type === 'in' ? (jid ?? undefined) : null };
  });
}

/** Pairs answers with what was asked: by the repeated number, by the answering number, and the last one left over. */
function matched(numbers: readonly string[], answers: readonly Found[]): Map<string, Contact> {
  const found = new Map<string, Contact>();
  const open = new Set(numbers);
  const unmatched: Found[] = [];
  for (const answer of answers) {
    if (answer.number === null || !open.delete(answer.number)) unmatched.push(answer);
    else if (answer.contact !== undefined) found.set(answer.number, answer.contact);
  }
  const [number] = open;
  const [answer] = unmatched;
  if (number === undefined || open.size > 1 || unmatched.length > 1) return found;
  if (answer?.contact !== undefined) found.set(number, answer.contact);
  // A number that is left out of an answer to nothing else is one that nobody answers on.
  else if (answer === undefined && numbers.length === 1) found.set(number, null);
  return found;
}

/** The JID of a number (digits). */
function jidOf(number: string): string {
  return `${number}@s.whatsapp.net`;
}

/** The number of a JID of a person; null for any other. */
export function digitsOf(jid: string | null): string | null {
  return jid === null ? null : (/^(\d+)(?::\d+)?@s\.whatsapp\.net$/.exec(jid)?.[1] ?? null);
}

function isNode(value: unknown): value is BinaryNode {
  return typeof value === 'object' && value !== null && 'tag' in value;
}
