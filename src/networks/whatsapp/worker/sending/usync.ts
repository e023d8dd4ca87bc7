import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { type DeviceId, digitsOf, jidOf, type Person, personOf } from './people.ts';
import type { SendingSocket } from './socket.ts';

/** The network's answer for one number: the person behind it, or null when it is not on WhatsApp. */
export type Contact = Answering | null;

export interface Answering {
  readonly person: Person;
  /** null when the answer does not list devices. */
  readonly devices: readonly DeviceId[] | null;
}

type Asking = Pick<SendingSocket, 'query' | 'generateMessageTag'>;

/**
 * Asks in one query which numbers (digits) are on the network and under which addresses; with `devices` also for their devices. A number without a
 * definite answer is left out of the map. Rejects when the network did not answer or refused the whole query. Sources: whatsmeow user.go
 * (`addressing_mode="lid"`), zapo (the requested number is repeated in `<contact>`).
 */
export async function askContacts(
  sock: Asking,
  numbers: readonly string[],
  timeoutMs: number,
  devices = false,
): Promise<Map<string, Contact>> {
  const protocols: BinaryNode[] = [{ tag: 'contact', attrs: { addressing_mode: 'lid' } }, lidProtocol];
  if (devices) protocols.push(devicesProtocol);
  const users = numbers.map((number) => ({ tag: 'user', attrs: {}, content: [{ tag: 'contact', attrs: {}, content: `+${number}` }] }));
  const answers = await ask(sock, 'interactive', protocols, users, timeoutMs);
  return matched(numbers, answers.map(contactOf));
}

/** Asks for the person with this JID and its devices. Rejects when the network did not answer. */
export async function askDevices(sock: Asking, person: Person, jid: string, timeoutMs: number): Promise<Answering> {
  const [user] = await ask(sock, 'message', [devicesProtocol, lidProtocol], [{ tag: 'user', attrs: { jid } }], timeoutMs);
  if (user === undefined) return { person, devices: [] };
  return { person: personOf(jid, lidIn(user) ?? person.lid ?? person.pn), devices: devicesIn(user) ?? [] };
}

/** Asks for the LID of a phone number JID; null when it has none. Rejects when the network did not answer. */
export async function askLid(sock: Asking, pn: string, timeoutMs: number): Promise<string | null> {
  const [user] = await ask(sock, 'background', [lidProtocol], [{ tag: 'user', attrs: { jid: pn } }], timeoutMs);
  return user === undefined ? null : lidIn(user);
}

const lidProtocol: BinaryNode = { tag: 'lid', attrs: {} };
const devicesProtocol: BinaryNode = { tag: 'devices', attrs: { version: '2' } };

/** The users of the answer. */
async function ask(sock: Asking, context: string, protocols: BinaryNode[], users: BinaryNode[], timeoutMs: number): Promise<BinaryNode[]> {
  const content: BinaryNode[] = [
    { tag: 'query', attrs: {}, content: protocols },
    { tag: 'list', attrs: {}, content: users },
  ];
  const attrs = { context, mode: 'query', sid: sock.generateMessageTag(), last: 'true', index: '0' };
  const query = { tag: 'iq', attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'usync' }, content: [{ tag: 'usync', attrs, content }] };
  const answer: unknown = await sock.query(query, timeoutMs);
  if (!isNode(answer)) throw new Error('the network did not answer a question about users');
  const list = getBinaryNodeChild(getBinaryNodeChild(answer, 'usync'), 'list');
  if (list === undefined) throw new Error('the network answered a question about users without a list');
  return getBinaryNodeChildren(list, 'user');
}

interface Found {
  /** The requested number if the network repeats it, otherwise the number of the person found. */
  readonly number: string | null;
  /** undefined when the network could not say. */
  readonly contact: Contact | undefined;
}

function contactOf(user: BinaryNode): Found {
  const contact = getBinaryNodeChild(user, 'contact');
  const text = contact?.content instanceof Uint8Array ? Buffer.from(contact.content).toString('utf8') : contact?.content;
  const asked = typeof text === 'string' && text !== '' ? text.replace(/^\+/, '') : null;
  const { jid, pn_jid: pnJid } = user.attrs;
  const number = asked ?? digitsOf(pnJid ?? jid ?? null);
  if (contact === undefined || getBinaryNodeChild(contact, 'error') !== undefined) return { number, contact: undefined };
  if (contact.attrs.type !== 'in') return { number, contact: null };
  const address = jid ?? (asked === null ? undefined : jidOf(asked));
  if (address === undefined) return { number, contact: undefined };
  return { number, contact: { person: personOf(address, pnJid ?? lidIn(user)), devices: devicesIn(user) } };
}

/** Matches answers to the requested numbers: by the repeated number, then by the found number, then the last one left over. */
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
  // If the only requested number is missing from the answer, it is not on WhatsApp.
  else if (answer === undefined && numbers.length === 1) found.set(number, null);
  return found;
}

function lidIn(user: BinaryNode): string | null {
  return getBinaryNodeChild(user, 'lid')?.attrs.val ?? null;
}

/** The devices in an answer; null when it lists none. A companion without a key index is not linked yet and cannot receive messages. */
function devicesIn(user: BinaryNode): DeviceId[] | null {
  const list = getBinaryNodeChild(getBinaryNodeChild(user, 'devices'), 'device-list');
  if (list === undefined) return null;
  return getBinaryNodeChildren(list, 'device').flatMap(({ attrs }) => {
    const id = Number(attrs.id);
    if (!Number.isInteger(id) || (id !== 0 && !Number(attrs['key-index']))) return [];
    return [{ id, hosted: attrs.is_hosted === 'true' }];
  });
}

function isNode(value: unknown): value is BinaryNode {
  return typeof value === 'object' && value !== null && 'tag' in value;
}
