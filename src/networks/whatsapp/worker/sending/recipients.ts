import { type BinaryNode, jidNormalizedUser } from 'baileys';
import type { Mutex } from '../../../../core/index.ts';
import type { BoundedCache } from '../library/bounded-cache.ts';
import { startSignalSessions } from '../library/session-starts.ts';
import { accountFacts } from './account-facts.ts';
import { deviceOf, userOf } from './jids.ts';
import { type DeviceId, deviceJid, jidIn, nameOf, type Person, personOf, type Space, spaceOf } from './people.ts';
import type { SendingLog, SendingSocket } from './socket.ts';
import { type Answering, askContacts, askDevices, askLid } from './usync.ts';

/** A device that a message is encrypted for. */
export interface Device {
  /** Its address in the message's namespace. */
  readonly jid: string;
  /** Its Signal address, under which its SignalRecord is stored: by LID in both namespaces. */
  readonly address: string;
}

/** A person as the recipient of a message, with all devices. Each device had a SignalSession when it was looked up. */
export interface Recipient {
  /** The address of `person` in the namespace. */
  readonly jid: string;
  readonly space: Space;
  readonly person: Person;
  readonly devices: readonly Device[];
}

/** What is remembered of a person: the same devices, in each namespace in which they were requested. */
export interface KnownPerson {
  readonly person: Person;
  readonly devices: readonly DeviceId[];
  readonly addressed: Map<Space, Recipient>;
}

/** Why a message cannot go to a number. */
export type Unreachable = 'not_on_network' | 'no_device';

/** What of a link's memory is needed here. */
interface RecipientMemory {
  readonly people: BoundedCache<Person>;
  readonly known: BoundedCache<KnownPerson>;
  readonly signalSessionTurns: Mutex;
  readonly outsideTransactions: <T>(work: () => T) => T;
}

interface RecipientsOptions {
  readonly sock: SendingSocket;
  readonly memory: RecipientMemory;
  readonly log: SendingLog;
  readonly queryMs: number;
}

const devicesChanged = 'CB:notification,type:devices';

/**
 * Finds the person behind a number and makes sure that its devices are known and have SignalSessions. The network is asked only for what is not known
 * yet. An account that has migrated to LIDs, or of which this is not known, writes to LIDs; one that has not migrated writes to phone numbers.
 */
export class Recipients {
  readonly #sock: SendingSocket;
  readonly #memory: RecipientMemory;
  readonly #known: BoundedCache<KnownPerson>;
  readonly #log: SendingLog;
  readonly #queryMs: number;
  #self: { readonly of: unknown; readonly person: Person } | null = null;
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** Whether a query for a number may also ask for its devices; false once the network has refused that. */
  #devicesByNumber = true;

  constructor({ sock, memory, log, queryMs }: RecipientsOptions) {
    this.#sock = sock;
    this.#memory = memory;
    this.#known = memory.known;
    this.#log = log;
    this.#queryMs = queryMs;
    sock.ws.on(devicesChanged, this.#devicesChanged);
  }

  /** The recipient behind a number (digits), in the given namespace if it has an address there. Rejects when the network could not say. */
  async find(number: string, space: Space = this.space): Promise<Recipient | Unreachable> {
    const person = this.#memory.people.get(number);
    if (person !== undefined) return this.#in(person, space);
    const answer = await this.#once(`number ${number}`, () => this.#ask(number));
    return answer === null ? 'not_on_network' : this.#in(answer.person, space, answer.devices);
  }

  /** The user with this JID, in its namespace. Rejects when the network could not say. */
  async user(jid: string): Promise<Recipient | 'no_device'> {
    return this.#in(await this.person(jid), spaceOf(jid));
  }

  /** The person with this JID, with both addresses if they are known. */
  async person(jid: string): Promise<Person> {
    const { lidMapping } = this.#sock.signalRepository;
    const other = spaceOf(jid) === 'lid' ? await lidMapping.getPNForLID(jid) : await lidMapping.getLIDForPN(jid);
    return personOf(jid, other);
  }

  /** One device, by the JID that the network uses for it. */
  async device(jid: string): Promise<Device> {
    const { lidMapping } = this.#sock.signalRepository;
    return { jid, address: this.#address(spaceOf(jid) === 'lid' ? jid : ((await lidMapping.getLIDForPN(jid)) ?? jid)) };
  }

  /** This account as a recipient in a namespace. Its devices are the other ones of the account. */
  own(space: Space): Promise<Recipient | 'no_device'> {
    return this.#in(this.me, space);
  }

  /** The account's address in a namespace. */
  ownJid(space: Space): string {
    return jidIn(space, this.me) ?? nameOf(this.me);
  }

  /** The namespace in which the account writes. */
  get space(): Space {
    const { creds } = this.#sock.authState;
    return this.me.lid === null || accountFacts(creds).migrated === false ? 'pn' : 'lid';
  }

  /** Makes the next message to this person look up the devices again. */
  async forget(person: Person): Promise<void> {
    this.#known.delete(nameOf(person));
    const users = [person.lid, person.pn].filter((jid) => jid !== null);
    await Promise.all(users.map((jid) => this.#sock.userDevicesCache.del(userOf(jid))));
  }

  /** Asks for a number's current LID after the network has said that the old one is outdated. Nothing waits for this. */
  renewLid(number: string, person: Person): void {
    const { pn } = person;
    if (pn === null) return;
    const renew = async () => {
      const lid = await askLid(this.#sock, pn, this.#queryMs);
      if (lid === null || lid === person.lid) return;
      await this.forget(person);
      await this.#learn({ pn, lid });
      this.#memory.people.set(number, { pn, lid });
    };
    this.#once(`lid ${pn}`, renew).catch((error: unknown) => this.#log.warn({ err: error }, 'a LID could not be looked up again'));
  }

  /** Starts SignalSessions with devices that turned out to have none. A device without keys stays without one. */
  async renew(devices: readonly Device[]): Promise<void> {
    await this.#startSignalSessions(devices.map(({ jid }) => jid));
  }

  close(): void {
    this.#sock.ws.off(devicesChanged, this.#devicesChanged);
  }

  /** This account. */
  get me(): Person {
    const { me } = this.#sock.authState.creds;
    // Cached, because it is read for every message and changes at most at a login.
    if (this.#self === null || this.#self.of !== me) this.#self = { of: me, person: personOf(me?.id ?? '', me?.lid) };
    return this.#self.person;
  }

  async #ask(number: string): Promise<Answering | null> {
    const contact = (await this.#askContact(number)).get(number);
    if (contact === undefined) throw new Error('the network said nothing certain of the number');
    if (contact === null) return null;
    await this.#learn(contact.person);
    this.#memory.people.set(number, contact.person);
    return contact;
  }

  /** Asks for contact, LID and devices in one query; without the devices if the network refuses that. */
  async #askContact(number: string) {
    const ask = () => askContacts(this.#sock, [number], this.#queryMs, this.#devicesByNumber);
    if (!this.#devicesByNumber) return ask();
    try {
      return await ask();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#devicesByNumber = false;
      return ask();
    }
  }

  /** The person as a recipient in the wanted namespace, or in the other one if it has no address there. */
  async #in(person: Person, wanted: Space, devices: readonly DeviceId[] | null = null): Promise<Recipient | 'no_device'> {
    const space = jidIn(wanted, person) === null || (wanted === 'lid' && this.me.lid === null) ? other(wanted) : wanted;
    let known = this.#known.get(nameOf(person));
    if (known !== undefined && devices !== null && !isSame(known.devices, devices)) {
      await this.forget(person);
      known = undefined;
    }
    const recipient = known?.addressed.get(space);
    if (recipient !== undefined) return recipient;
    const name = `devices ${space} ${nameOf(person)}`;
    return this.#once(name, () => this.#lookUp(person, space, known?.devices ?? devices));
  }

  async #lookUp(asked: Person, space: Space, told: readonly DeviceId[] | null): Promise<Recipient | 'no_device'> {
    // A person whose LID is known is asked for by LID, because the network does not tell a migrated account the devices behind a phone number.
    const { migrated } = accountFacts(this.#sock.authState.creds);
    const by = migrated === false && space === 'pn' ? (asked.pn ?? nameOf(asked)) : nameOf(asked);
    const answer = told?.length ? { person: asked, devices: told } : await askDevices(this.#sock, asked, by, this.#queryMs);
    const person = asked.lid === null && answer.person.lid !== null ? personOf(answer.person.lid, asked.pn) : asked;
    if (person !== asked) await this.#learn(person);
    const ids = (answer.devices ?? []).filter(({ id }) => !this.#isThisDevice(person, id));
    const jid = jidIn(space, person);
    if (ids.length === 0 || jid === null) return 'no_device';
    const devices = ids.map((id) => ({ jid: deviceJid(jid, id), address: this.#address(deviceJid(nameOf(person), id)) }));
    await this.#moveSignalSessions(person, ids);
    if (!(await this.#startSignalSessions(ids.map((id) => deviceJid(nameOf(person), id))))) return 'no_device';
    const recipient = { jid, space, person, devices };
    const known = this.#known.get(nameOf(person)) ?? { person, devices: ids, addressed: new Map() };
    known.addressed.set(space, recipient);
    this.#known.set(nameOf(person), known);
    return recipient;
  }

  #isThisDevice(person: Person, id: number): boolean {
    const me = this.me;
    if (nameOf(person) !== nameOf(me) && person.pn !== me.pn) return false;
    return deviceOf(this.#sock.authState.creds.me?.id ?? '') === id;
  }

  /** Also stores in the library which LID belongs to which number. */
  async #learn({ lid, pn }: Person): Promise<void> {
    if (lid !== null && pn !== null) await this.#sock.signalRepository.lidMapping.storeLIDPNMappings([{ lid, pn }]);
  }

  /** Moves SignalSessions that were started under the phone number, before the LID was known, to the LID. */
  async #moveSignalSessions({ lid, pn }: Person, devices: readonly DeviceId[]): Promise<void> {
    if (lid === null || pn === null) return;
    const { keys } = this.#sock.authState;
    const pairs = devices.map((id) => ({ to: this.#address(deviceJid(lid, id)), from: this.#address(deviceJid(pn, id)) }));
    const addresses = pairs.flatMap(({ from, to }) => [from, to]);
    const stored = await keys.get('session', addresses);
    if (!pairs.some(({ from }) => stored[from])) return;
    await this.#memory.outsideTransactions(() =>
      this.#memory.signalSessionTurns.take(async () => {
        const records = await keys.get('session', addresses);
        const changes: Record<string, Uint8Array | null> = {};
        for (const { from, to } of pairs) {
          const record = records[from];
          if (!record) continue;
          changes[from] = null;
          if (!records[to]) changes[to] = record;
        }
        await keys.set({ session: changes });
      }),
    );
  }

  /** Starts a SignalSession with every device that has none. False when the network has no keys of any of them. */
  async #startSignalSessions(jids: readonly string[]): Promise<boolean> {
    const starts = await startSignalSessions(this.#sock, jids);
    const without = starts.filter((start) => start !== 'started');
    if (without.length === jids.length) {
      for (const start of without) if (start !== 'no_keys') throw start.failure;
      return false;
    }
    if (without.length > 0) this.#log.warn({ failed: without.length, devices: jids.length }, 'some devices of a recipient gave no keys');
    return true;
  }

  #address(jid: string): string {
    return this.#sock.signalRepository.jidToSignalProtocolAddress(jid);
  }

  /** Somebody's list of devices has changed. The person may be named by either address. */
  readonly #devicesChanged = ({ attrs }: BinaryNode): void => {
    const named = [attrs.from, attrs.lid].filter((jid) => jid !== undefined).map((jid) => jidNormalizedUser(jid));
    for (const { person } of [...this.#known.values()]) {
      if (!named.some((jid) => jid === person.lid || jid === person.pn)) continue;
      this.forget(person).catch((error: unknown) => this.#log.warn({ err: error }, 'a list of devices could not be dropped'));
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
