import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { type DeviceId, digitsOf, jidOf, type Person, personOf } from './people.ts';
import type { SendingSocket } from './socket.ts';

/** What the network says of one number: who answers, or null when nobody does. */
export type Contact = Answering | null;

export interface Answering {
  readonly person: Person;
  /** null when the answer does not tell devices. */
  readonly devices: readonly DeviceId[] | null;
}

type Asking = Pick<SendingSocket, 'query' | 'generateMessageTag'>;

/**
 * Asks which numbers (digits) are on the network and under which addresses, in one query; with `devices` also for their devices.
 * A number of which the answer says nothing certain is left out of the map. Rejects when the network did not answer or refused the query as a whole.
 * Facts: whatsmeow user.go (`addressing_mode="lid"`), zapo (the number that was asked is repeated in `<contact>`).
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

/** The person with this JID and its devices, from the network. Rejects when the network did not answer. */
export async function askDevices(sock: Asking, person: Person, jid: string, timeoutMs: number): Promise<Answering> {
  const [user] = await ask(sock, 'message', [devicesProtocol, lidProtocol], [{ tag: 'user', attrs: { jid } }], timeoutMs);
  if (user === undefined) return { person, devices: [] };
  return { person: personOf(jid, lidIn(user) ?? person.lid ?? person.pn), devices: devicesIn(user) ?? [] };
}

/** The LID of the user with this JID of a phone number; null when it has none. Rejects when the network did not answer. */
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
  /** The number it is about: as it was asked where the network repeats that, else the one that answers. */
  readonly number: string | null;
  /** undefined: the network could not say. */
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

function lidIn(user: BinaryNode): string | null {
  return getBinaryNodeChild(user, 'lid')?.attrs.val ?? null;
}

/** null when the answer tells nothing of devices. A companion without a key index is not linked yet and takes no messages. */
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
