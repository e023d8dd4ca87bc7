import { type BinaryNode, isLidUser, isPnUser, jidNormalizedUser } from 'baileys';
import { startSignalSessions } from '../library/session-starts.ts';
import { storeFirstMapping } from '../library/signal-repository.ts';
import { accountFacts } from './account-facts.ts';
import type { Wire } from './link-memory.ts';
import {
  type Device,
  type DeviceId,
  deviceJid,
  deviceOf,
  nameOf,
  type Person,
  personOf,
  type Recipient,
  type Space,
  spaceOf,
  type Unreachable,
  userOf,
} from './people.ts';
import { queryContacts, queryDevices, queryLid, type UsyncUser } from './usync.ts';

const devicesChanged = 'CB:notification,type:devices';

/**
 * Finds the person behind a number and makes sure that its devices are known and have SignalSessions. The network is asked only for what is not known
 * yet. An account that has migrated to LIDs, or of which this is not known, writes to LIDs; one that has not migrated writes to phone numbers.
 */
export class Recipients {
  readonly #wire: Wire;
  readonly #queryMs: number;
  #self: { readonly of: unknown; readonly person: Person } | null = null;
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** Whether a query for a number may also ask for its devices; false once the network has refused that. */
  #devicesByNumber = true;

  constructor(wire: Wire, queryMs: number) {
    this.#wire = wire;
    this.#queryMs = queryMs;
    wire.sock.ws.on(devicesChanged, this.#devicesChanged);
  }

  /** The recipient behind a number (digits), in the given namespace if it has an address there. Rejects when the network gives no answer. */
  async find(number: string, space: Space = this.space): Promise<Recipient | Unreachable> {
    const person = this.#wire.memory.people.get(number);
    if (person !== undefined) return this.#in(person, space);
    const contact = await this.#once(`number ${number}`, () => this.#queryNumber(number));
    return contact === null ? 'not_on_network' : this.#in(contact.person, space, contact.devices);
  }

  /** The user with this JID, in its namespace. Rejects when the network does not list devices that are not known yet. */
  async user(jid: string): Promise<Recipient | 'no_device'> {
    return this.#in(await this.person(jid), spaceOf(jid));
  }

  /** The person with this JID, with both addresses if they are known. A LID that the network does not say in time counts as unknown. */
  async person(jid: string): Promise<Person> {
    const { lidMapping } = this.#wire.sock.signalRepository;
    if (spaceOf(jid) === 'lid') return personOf(jid, await lidMapping.getPNForLID(jid));
    const [pair] = (await lidMapping.getLIDsForPNs([jid])) ?? [];
    return personOf(jid, pair?.lid ?? null);
  }

  /** One device, by the JID that the network uses for it. */
  async device(jid: string): Promise<Device> {
    const { lidMapping } = this.#wire.sock.signalRepository;
    return { jid, address: this.#address(spaceOf(jid) === 'lid' ? jid : ((await lidMapping.getLIDForPN(jid)) ?? jid)) };
  }

  /** This account as a recipient in a namespace. Its devices are the other ones of the account. */
  own(space: Space): Promise<Recipient | 'no_device'> {
    return this.#in(this.me, space);
  }

  /** The namespace in which the account writes. */
  get space(): Space {
    return this.me.lid === null || this.#migrated === false ? 'pn' : 'lid';
  }

  get me(): Person {
    const { me } = this.#wire.sock.authState.creds;
    // Cached, because it is read for every message and changes at most at a login.
    if (this.#self === null || this.#self.of !== me) this.#self = { of: me, person: personOf(me?.id ?? '', me?.lid) };
    return this.#self.person;
  }

  /** Makes the next message to this person look up the devices again. */
  async forget(person: Person): Promise<void> {
    const { memory, sock } = this.#wire;
    memory.known.delete(nameOf(person));
    const users = [person.lid, person.pn].filter((jid) => jid !== null);
    await Promise.all(users.map((jid) => sock.userDevicesCache.del(userOf(jid))));
  }

  /** Asks for a number's current LID after the network has reported the old one as outdated. Nothing waits for this. */
  refreshLid(number: string, person: Person): void {
    const { sock, memory, log } = this.#wire;
    const { pn } = person;
    if (pn === null) return;
    this.#once(`lid ${pn}`, async () => {
      const lid = await queryLid(sock, pn, this.#queryMs);
      if (lid === null || lid === person.lid) return;
      await this.forget(person);
      await this.#storeMapping({ pn, lid });
      memory.people.set(number, { pn, lid });
    }).catch((error: unknown) => log.warn({ err: error }, 'a LID could not be looked up again'));
  }

  /** Starts a SignalSession with every device that has none. False when the network has no keys of any of them. */
  async startSessions(jids: readonly string[]): Promise<boolean> {
    const starts = await startSignalSessions(this.#wire.sock, jids);
    const without = starts.filter((start) => start !== 'started');
    if (without.length === jids.length) {
      for (const start of without) if (start !== 'no_keys') throw start.failure;
      return false;
    }
    if (without.length > 0)
      this.#wire.log.warn({ failed: without.length, devices: jids.length }, 'some devices of a recipient gave no keys');
    return true;
  }

  close(): void {
    this.#wire.sock.ws.off(devicesChanged, this.#devicesChanged);
  }

  /** Asks for contact, LID and devices in one query; without the devices if the network refuses that. */
  async #queryNumber(number: string): Promise<UsyncUser | null> {
    const { sock, memory } = this.#wire;
    const query = () => queryContacts(sock, [number], this.#queryMs, this.#devicesByNumber);
    const contacts = await query().catch((error: unknown) => {
      if (!this.#devicesByNumber || !isRefusal(error)) throw error;
      this.#devicesByNumber = false;
      return query();
    });
    const contact = contacts.get(number);
    if (contact === undefined) throw new Error('the network gave no certain answer for the number');
    if (contact === null) return null;
    await this.#storeMapping(contact.person);
    memory.people.set(number, contact.person);
    return contact;
  }

  /** The person as a recipient in the wanted namespace, or in the other one if it has no address there. */
  async #in(person: Person, wanted: Space, devices: readonly DeviceId[] | null = null): Promise<Recipient | 'no_device'> {
    const space = person[wanted] === null || (wanted === 'lid' && this.me.lid === null) ? other(wanted) : wanted;
    let known = this.#wire.memory.known.get(nameOf(person));
    if (known !== undefined && devices !== null && !isSame(known.devices, devices)) {
      await this.forget(person);
      known = undefined;
    }
    const recipient = known?.addressed.get(space);
    if (recipient !== undefined) return recipient;
    const name = `devices ${space} ${nameOf(person)}`;
    return this.#once(name, () => this.#lookUp(person, space, known?.devices ?? devices));
  }

  async #lookUp(asked: Person, space: Space, listed: readonly DeviceId[] | null): Promise<Recipient | 'no_device'> {
    const { sock, memory } = this.#wire;
    // A person whose LID is known is asked for by LID, because the network does not list the devices behind a phone number for a migrated account.
    const by = this.#migrated === false && space === 'pn' ? (asked.pn ?? nameOf(asked)) : nameOf(asked);
    const answer = listed?.length ? { person: asked, devices: listed } : await queryDevices(sock, asked, by, this.#queryMs);
    const person = asked.lid === null && answer.person.lid !== null ? personOf(answer.person.lid, asked.pn) : asked;
    if (person !== asked) await this.#storeMapping(person);
    const ids = answer.devices.filter(({ id }) => !this.#isThisDevice(person, id));
    const jid = person[space];
    if (ids.length === 0 || jid === null) return 'no_device';
    // The LID may be known although the network does not name it here. The SignalSessions are stored under it even then.
    const named = person.lid === null ? await this.person(jid) : person;
    const devices = ids.map((id) => ({ jid: deviceJid(jid, id), address: this.#address(deviceJid(nameOf(named), id)) }));
    await this.#moveSignalSessions(named, ids);
    if (!(await this.startSessions(ids.map((id) => deviceJid(nameOf(named), id))))) return 'no_device';
    const recipient = { jid, space, person, devices };
    const known = memory.known.get(nameOf(person)) ?? { person, devices: ids, addressed: new Map() };
    known.addressed.set(space, recipient);
    memory.known.set(nameOf(person), known);
    return recipient;
  }

  get #migrated(): boolean | null {
    return accountFacts(this.#wire.sock.authState.creds).migrated;
  }

  #isThisDevice(person: Person, id: number): boolean {
    const { me } = this;
    if (nameOf(person) !== nameOf(me) && person.pn !== me.pn) return false;
    return deviceOf(this.#wire.sock.authState.creds.me?.id ?? '') === id;
  }

  /** Stores which LID belongs to which number. A first one is stored with the first message that goes there, and not waited for by itself. */
  async #storeMapping({ lid, pn }: Person): Promise<void> {
    if (lid === null || pn === null) return;
    const { sock, keysSoon } = this.#wire;
    if (isLidUser(lid) && isPnUser(pn) && (await storeFirstMapping(keysSoon, userOf(pn), userOf(lid)))) return;
    await sock.signalRepository.lidMapping.storeLIDPNMappings([{ lid, pn }]);
  }

  /** Moves SignalSessions that were started under the phone number, before the LID was known, to the LID. */
  async #moveSignalSessions({ lid, pn }: Person, devices: readonly DeviceId[]): Promise<void> {
    if (lid === null || pn === null) return;
    const { sock, memory } = this.#wire;
    const { keys } = sock.authState;
    const pairs = devices.map((id) => ({ to: this.#address(deviceJid(lid, id)), from: this.#address(deviceJid(pn, id)) }));
    const addresses = pairs.flatMap(({ from, to }) => [from, to]);
    const stored = await keys.get('session', addresses);
    if (!pairs.some(({ from }) => stored[from])) return;
    const move = async () => {
      const records = await keys.get('session', addresses);
      const changes: Record<string, Uint8Array | null> = {};
      for (const { from, to } of pairs) {
        const record = records[from];
        if (!record) continue;
        changes[from] = null;
        if (!records[to]) changes[to] = record;
      }
      await keys.set({ session: changes });
    };
    await memory.outsideTransactions(() => memory.signalSessionMutex.take(move));
  }

  #address(jid: string): string {
    return this.#wire.sock.signalRepository.jidToSignalProtocolAddress(jid);
  }

  /** Somebody's list of devices has changed. The person may be named by either address. */
  readonly #devicesChanged = ({ attrs }: BinaryNode): void => {
    const { memory, log } = this.#wire;
    const named = [attrs.from, attrs.lid].filter((jid) => jid !== undefined).map((jid) => jidNormalizedUser(jid));
    for (const { person } of [...memory.known.values()]) {
      if (!named.some((jid) => jid === person.lid || jid === person.pn)) continue;
      this.forget(person).catch((error: unknown) => log.warn({ err: error }, 'a list of devices could not be dropped'));
    }
  };

  // Sends to one recipient that start at the same time share one query.
  #once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const running = this.#underWay.get(name);
    if (running !== undefined) return running as Promise<T>;
    const started = work().finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, started);
    return started;
  }
}

function other(space: Space): Space {
  return space === 'lid' ? 'pn' : 'lid';
}

function isSame(before: readonly DeviceId[], now: readonly DeviceId[]): boolean {
  return before.length === now.length && before.every(({ id }) => now.some((device) => device.id === id));
}

/** Whether the network refused a query, as opposed to not answering or having a temporary fault. */
function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('data' in error)) return false;
  return error.data === 400 || error.data === 405 || error.data === 406 || error.data === 501;
}
