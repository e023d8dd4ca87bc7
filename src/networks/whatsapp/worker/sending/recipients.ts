import { type FullJid, jidEncode } from 'baileys';
import type { BoundedCache } from '../library/bounded-cache.ts';
import { userOf } from './jids.ts';
import type { LinkMemory } from './link-memory.ts';
import type { SendingLog, SendingSocket } from './socket.ts';
import { askContacts, askDevices, askLid } from './usync.ts';

/** One device that a message is encrypted for. */
export interface Device {
  readonly jid: string;
  /** Its name in the Signal protocol, under which its session is stored. */
  readonly address: string;
}

/** A user with all devices, each of which had a session when it was looked up. */
export interface Recipient {
  readonly jid: string;
  /** The LID, under which privacy tokens are kept; the JID itself where the network gave none. */
  readonly tokenJid: string;
  readonly devices: readonly Device[];
  /** The list this was made from: Baileys replaces or drops it in its cache when the network tells of a change. */
  readonly list: readonly FullJid[];
}

/** Why a message cannot go to a number. */
export type Unreachable = 'not_on_network' | 'no_device';

interface RecipientsOptions {
  readonly sock: SendingSocket;
  readonly memory: LinkMemory;
  readonly log: SendingLog;
  readonly queryMs: number;
}

/** Finds out who is behind a number and makes sure that there is a device and a session for each; asks the network only for what is not known. */
export class Recipients {
  readonly #sock: SendingSocket;
  readonly #jids: BoundedCache<string>;
  readonly #known: BoundedCache<Recipient>;
  readonly #log: SendingLog;
  readonly #queryMs: number;
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor({ sock, memory, log, queryMs }: RecipientsOptions) {
    this.#sock = sock;
    this.#jids = memory.jids;
    this.#known = memory.recipients;
    this.#log = log;
    this.#queryMs = queryMs;
  }

  /** The recipient behind a number (digits). Rejects when the network could not say. */
  async find(number: string): Promise<Recipient | Unreachable> {
    const jid = this.#jids.get(number) ?? (await this.#once(`number ${number}`, () => this.#ask(number)));
    return jid === null ? 'not_on_network' : this.user(jid);
  }

  /** The user with this JID. Rejects when the network could not say. */
  async user(jid: string): Promise<Recipient | 'no_device'> {
    const known = this.#known.get(jid);
    // Baileys declares a narrower type than what it keeps there.
    const list = (await this.#sock.userDevicesCache.get(userOf(jid))) as FullJid[] | undefined;
    if (known !== undefined && list === known.list) return known;
    return this.#once(`devices ${jid}`, () => this.#lookUp(jid, list));
  }

  /** Looks the user's devices up anew before the next message. */
  async forget(jid: string): Promise<void> {
    this.#known.delete(jid);
    await this.#sock.userDevicesCache.del(userOf(jid));
  }

  /** One device, named as the network names it. */
  async device(jid: string): Promise<Device> {
    return { jid, address: await this.#address(jid) };
  }

  /** Asks for the LID of a user anew, before its next message. */
  async refreshLid(jid: string): Promise<void> {
    await askLid(this.#sock, jid);
    this.#known.delete(jid);
  }

  /** Fetches sessions for devices that turned out to have none. A device that gives none is left without. */
  async renew(devices: readonly Device[]): Promise<void> {
    await this.#assertSessions(devices.map(({ jid }) => jid));
  }

  async #ask(number: string): Promise<string | null> {
    const jid = (await askContacts(this.#sock, [number], this.#queryMs)).get(number);
    if (jid === undefined) throw new Error('the network said nothing certain of the number');
    if (jid !== null) this.#jids.set(number, jid);
    return jid;
  }

  async #lookUp(jid: string, cached: readonly FullJid[] | undefined): Promise<Recipient | 'no_device'> {
    const list = cached?.length ? cached : await askDevices(this.#sock, jid);
    const own = this.#sock.user?.id;
    const jids = list.map(({ user, server, device }) => jidEncode(user, server, device)).filter((device) => device !== own);
    if (jids.length === 0) return 'no_device';
    if (list !== cached) await this.#keep(userOf(jid), [...list]);
    await this.#assertSessions(jids);
    const { lidMapping } = this.#sock.signalRepository;
    const recipient = {
      jid,
      tokenJid: (await lidMapping.getLIDForPN(jid)) ?? jid,
      devices: await Promise.all(jids.map(async (device) => ({ jid: device, address: await this.#address(device) }))),
      list,
    };
    this.#known.set(jid, recipient);
    return recipient;
  }

  /** Puts a device list where Baileys looks for it, too. */
  async #keep(user: string, list: FullJid[]): Promise<void> {
    await this.#sock.devicesMutex.mutex(async () => {
      await this.#sock.userDevicesCache.set(user, list);
    });
    await this.#sock.authState.keys.set({ 'device-list': { [user]: list.map(({ device }) => String(device ?? 0)) } });
  }

  /** Gives every device a session that has none. One device without keys must not keep the others from theirs. */
  async #assertSessions(jids: string[]): Promise<void> {
    try {
      await this.#sock.assertSessions(jids);
    } catch (error) {
      if (jids.length === 1 || !this.#sock.ws.isOpen) throw error;
      const results = await Promise.allSettled(jids.map((jid) => this.#sock.assertSessions([jid])));
      const failed = results.filter(({ status }) => status === 'rejected').length;
      if (failed === jids.length) throw error;
      this.#log.warn({ failed, devices: jids.length }, 'some devices of a recipient gave no keys');
    }
  }

  async #address(jid: string): Promise<string> {
    const { lidMapping, jidToSignalProtocolAddress } = this.#sock.signalRepository;
    return jidToSignalProtocolAddress((await lidMapping.getLIDForPN(jid)) ?? jid);
  }

  // Sends to one recipient that begin together share what is asked for the first of them.
  #once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const running = this.#underWay.get(name);
    if (running !== undefined) return running as Promise<T>;
    const started = work().finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, started);
    return started;
  }
}
