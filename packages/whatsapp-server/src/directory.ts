import type { Account } from './account.ts';
import type { Device } from './device.ts';
import { lidOf, parseJid } from './jids.ts';

/** Everybody the network knows: every number that was ever asked about. */
export class Directory {
  readonly #create: (number: string) => Account;
  readonly #byNumber = new Map<string, Account>();
  readonly #byLid = new Map<string, Account>();

  constructor(create: (number: string) => Account) {
    this.#create = create;
  }

  get accounts(): Account[] {
    return [...this.#byNumber.values()];
  }

  /** The account of a number, created on first use. Throws for anything but 5 to 15 digits. */
  account(number: string): Account {
    const known = this.#byNumber.get(number);
    if (known) return known;
    if (!/^[1-9]\d{4,14}$/.test(number)) throw new Error(`not a phone number: ${number}`);
    const account = this.#create(number);
    this.#byNumber.set(number, account);
    this.#byLid.set(lidOf(number), account);
    return account;
  }

  /** The account of an address, by number or LID; null for groups, unknown LIDs and malformed addresses. */
  byJid(jid: string | undefined): Account | null {
    const parsed = parseJid(jid);
    if (!parsed) return null;
    if (parsed.server === 'lid') {
      const account = this.#byLid.get(parsed.user);
      return account?.hasLid === true ? account : null;
    }
    return parsed.server === 's.whatsapp.net' && /^[1-9]\d{4,14}$/.test(parsed.user) ? this.account(parsed.user) : null;
  }

  /** Tells the linked devices of everybody with whom the account has a chat that its phone has a new identity. */
  tellIdentity(of: Account): void {
    for (const number of of.chats) for (const device of this.account(number).linked.values()) device.tellIdentity(of);
  }

  /** Gives the account another LID. Messages to the old one still arrive. */
  renewLid(account: Account, lid: string): void {
    account.lid = lid;
    this.#byLid.set(lid, account);
  }

  /** Tells the linked devices of the account, and of everybody with whom it has a chat, that devices were added or removed. */
  tellDevices(of: Account, tag: 'add' | 'remove', devices: readonly Device[]): void {
    if (devices.length === 0) return;
    for (const number of new Set([of.number, ...of.chats])) {
      for (const device of this.account(number).linked.values()) if (!devices.includes(device)) device.tellDevices(of, tag, devices);
    }
  }
}
