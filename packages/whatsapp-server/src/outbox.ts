import { randomBytes } from 'node:crypto';
import type { proto } from 'baileys';
import type { Account } from './account.ts';
import { userFor } from './addressing.ts';
import type { ContactToken } from './contact-tokens.ts';
import { sealContent } from './content.ts';
import { type Device, type Receipt, signalJid } from './device.ts';
import type { SignalIdentity } from './signal-identity.ts';

interface Sent {
  readonly to: Account;
  readonly message: proto.IMessage;
  readonly token: ContactToken | null;
}

const maxRetries = 5;

/** Sends a phone's messages, encrypted for every device of the recipient and every other device of its own account. */
export class Outbox {
  readonly #device: Device;
  readonly #signal: SignalIdentity;
  readonly #sent = new Map<string, Sent>();

  constructor(device: Device, signal: SignalIdentity) {
    this.#device = device;
    this.#signal = signal;
  }

  async send(to: Account, message: proto.IMessage, token: ContactToken | null = null): Promise<string> {
    const id = newId();
    const own = this.#device.account;
    if (to.devices.length === 0) throw new Error(`${to.number} has no devices`);
    this.#sent.set(id, { to, message, token });
    own.chats.add(to.number);
    to.chats.add(own.number);
    to.tokens.heardFrom.add(own.number);
    const others = to === own ? [] : to.devices;
    for (const target of [...others, ...own.devices.filter((device) => device !== this.#device)]) await this.#post(id, target, 0);
    return id;
  }

  /** Sends a message to one device of the phone's own account. */
  async handOver(target: Device, message: proto.IMessage): Promise<string> {
    const id = newId();
    this.#sent.set(id, { to: this.#device.account, message, token: null });
    await this.#post(id, target, 0);
    return id;
  }

  /** Sends a message again to a device that could not decrypt it, in a new Signal session. */
  async retry(receipt: Receipt): Promise<void> {
    if (!this.#sent.has(receipt.id) || receipt.retry > maxRetries) return;
    const bundle = receipt.keys ?? (await receipt.from.takeBundle());
    if (bundle) await this.#signal.startSession(signalJid(receipt.from), bundle);
    await this.#post(receipt.id, receipt.from, receipt.retry);
  }

  /** Starts a Signal session with a device, unless there is one. */
  async fetchKeysOf(target: Device): Promise<void> {
    if (await this.#signal.hasSession(signalJid(target))) return;
    const bundle = await target.takeBundle();
    if (!bundle) throw new Error(`${signalJid(target)} has uploaded no keys`);
    await this.#signal.startSession(signalJid(target), bundle);
  }

  async #post(id: string, target: Device, retry: number): Promise<void> {
    const sent = this.#sent.get(id);
    if (!sent) return;
    await this.fetchKeysOf(target);
    const isCopy = target.account === this.#device.account;
    const content = isCopy
      ? { deviceSentMessage: { destinationJid: userFor(this.#device.account, sent.to), message: sent.message } }
      : sent.message;
    const { type, ciphertext } = await this.#signal.encrypt(signalJid(target), sealContent(content));
    target.deliver({
      ...{ id, from: this.#device, to: sent.to, toJid: null, type, ciphertext, stanzaType: 'text' },
      ...{ deviceIdentity: null, extras: [], reportingToken: null, retry, spoiled: false, token: sent.token },
    });
  }
}

/** A message id as phones make them. */
export function newId(): string {
  return `3A${randomBytes(9).toString('hex').toUpperCase()}`;
}
