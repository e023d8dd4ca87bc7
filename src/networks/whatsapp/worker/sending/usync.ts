import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, type WASocket } from 'baileys';
import { parts } from '../../../../core/index.ts';
import type { Reachability } from '../../../index.ts';
import type { Wire } from './link-memory.ts';
import { type DeviceId, digitsOf, type Person, personOf } from './people.ts';

/** The network's answer for one number: the person behind it, or null when it is not on WhatsApp. */
type Contact = UsyncUser | null;

export interface UsyncUser {
  readonly person: Person;
  /** null when the answer does not list devices. */
  readonly devices: readonly DeviceId[] | null;
}

type Socket = Pick<WASocket, 'query' | 'generateMessageTag'>;

const lidProtocol: BinaryNode = { tag: 'lid', attrs: {} };
const devicesProtocol: BinaryNode = { tag: 'devices', attrs: { version: '2' } };
const batchSize = 50;

/**
 * Asks in one query which numbers (digits) are on the network and under which addresses; with `devices` also for their devices. A number without a
 * definite answer is left out of the map. Rejects when the network did not answer or refused the whole query. Sources: whatsmeow user.go
 * (`addressing_mode="lid"`), zapo (the requested number is repeated in `<contact>`).
 */
export async function queryContacts(
  sock: Socket,
  numbers: readonly string[],
  timeoutMs: number,
  devices = false,
): Promise<Map<string, Contact>> {
  const protocols: BinaryNode[] = [{ tag: 'contact', attrs: { addressing_mode: 'lid' } }, lidProtocol];
  if (devices) protocols.push(devicesProtocol);
  const users = numbers.map((number) => ({ tag: 'user', attrs: {}, content: [{ tag: 'contact', attrs: {}, content: `+${number}` }] }));
  const answers = await query(sock, 'interactive', protocols, users, timeoutMs);
  return matched(numbers, answers.map(contactOf));
}

/** Asks for the person with this JID and its devices. Rejects when the network did not answer or does not say which devices there are. */
export async function queryDevices(
  sock: Socket,
  person: Person,
  jid: string,
  timeoutMs: number,
): Promise<UsyncUser & { readonly devices: readonly DeviceId[] }> {
  const [user] = await query(sock, 'message', [devicesProtocol, lidProtocol], [{ tag: 'user', attrs: { jid } }], timeoutMs);
  if (user === undefined) return { person, devices: [] };
  const devices = devicesIn(user);
  if (devices === null) throw new Error('the network did not list the devices of a person');
  return { person: personOf(jid, lidIn(user) ?? person.lid ?? person.pn), devices };
}

/** Asks for the LID of a phone number JID; null when it has none. Rejects when the network did not answer. */
export async function queryLid(sock: Socket, pn: string, timeoutMs: number): Promise<string | null> {
  const [user] = await query(sock, 'background', [lidProtocol], [{ tag: 'user', attrs: { jid: pn } }], timeoutMs);
  return user === undefined ? null : lidIn(user);
}

/**
 * Asks which numbers (digits) are on WhatsApp; one answer per number, in order. A query that fails is repeated in parts, so that only numbers for
 * which the network has no answer are null. Never rejects. Positive answers are remembered for sends.
 */
export async function checkNumbers(
  { sock, memory }: Wire,
  numbers: readonly string[],
  limits: { readonly queryMs: number; readonly checkMs: number },
): Promise<Reachability[]> {
  const until = performance.now() + limits.checkMs;
  const found = new Map<string, Contact>();
  const inParts = async (part: readonly string[]): Promise<void> => {
    const left = until - performance.now();
    if (left <= 0 || !sock.ws.isOpen) return;
    // Numbers that are still missing after a failure are asked for again below or stay unknown.
    const answered = await queryContacts(sock, part, Math.min(limits.queryMs, left)).catch(() => new Map<string, Contact>());
    for (const [number, contact] of answered) found.set(number, contact);
    const open = part.filter((number) => !found.has(number));
    if (open.length === 0 || part.length === 1) return;
    // Few rounds matter more than few queries, because each round may take the whole time limit of an unanswered query.
    await Promise.all([...parts(open, Math.ceil(Math.sqrt(open.length) / 2))].map(inParts));
  };
  for (const batch of parts([...new Set(numbers)], batchSize)) await inParts(batch);
  for (const [number, contact] of found) if (contact !== null) memory.people.set(number, contact.person);
  return numbers.map((number) => {
    const contact = found.get(number);
    if (contact == null) return { reachable: contact === null ? false : null, networkNumber: null };
    return { reachable: true, networkNumber: digitsOf(contact.person.pn) ?? number };
  });
}

/** The users of the answer. */
async function query(
  sock: Socket,
  context: string,
  protocols: BinaryNode[],
  users: BinaryNode[],
  timeoutMs: number,
): Promise<BinaryNode[]> {
  const content: BinaryNode[] = [
    { tag: 'query', attrs: {}, content: protocols },
    { tag: 'list', attrs: {}, content: users },
  ];
  const attrs = { context, mode: 'query', sid: sock.generateMessageTag(), last: 'true', index: '0' };
  const iq = { tag: 'iq', attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'usync' }, content: [{ tag: 'usync', attrs, content }] };
  const answer: BinaryNode | undefined = await sock.query(iq, timeoutMs);
  if (answer === undefined) throw new Error('the network did not answer a usync query');
  const list = getBinaryNodeChild(getBinaryNodeChild(answer, 'usync'), 'list');
  if (list === undefined) throw new Error('the network answered a usync query without a list');
  return getBinaryNodeChildren(list, 'user');
}

interface Found {
  /** The requested number if the network repeats it, otherwise the number of the person found. */
  readonly number: string | null;
  /** undefined when the network has no answer. */
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
  const address = jid ?? (asked === null ? undefined : `${asked}@s.whatsapp.net`);
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

/** The devices in an answer; null when it has no list, or an error in its place (429, 500). A companion without a key index is not linked yet and cannot receive messages. */
function devicesIn(user: BinaryNode): DeviceId[] | null {
  const devices = getBinaryNodeChild(user, 'devices');
  const list = getBinaryNodeChild(devices, 'device-list');
  if (list === undefined || getBinaryNodeChild(devices, 'error') !== undefined) return null;
  return getBinaryNodeChildren(list, 'device').flatMap(({ attrs }) => {
    const id = Number(attrs.id);
    if (!Number.isInteger(id) || (id !== 0 && !Number(attrs['key-index']))) return [];
    return [{ id, hosted: attrs.is_hosted === 'true' }];
  });
}
