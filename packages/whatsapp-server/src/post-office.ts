import type { BinaryNode } from 'baileys';
import type { Account } from './account.ts';
import { addressingRefusal } from './addressing.ts';
import type { MessageFault } from './api.ts';
import { tokenRefusal } from './contact-tokens.ts';
import type { Receipt } from './device.ts';
import type { Directory } from './directory.ts';
import type { FaultBoard } from './fault-board.ts';
import { parseJid } from './jids.ts';
import { readRetryKeys } from './key-bundle.ts';
import type { LinkedDevice } from './linked-device.ts';
import { child, children, nowSeconds } from './nodes.ts';
import { type Outgoing, readOutgoing } from './outgoing.ts';
import { countChat, reachOutRefusal } from './reach-out.ts';
import type { Recorder } from './recorder.ts';
import { Resends } from './resends.ts';
import { recipientOf } from './stanzas.ts';
import type { Strictness } from './strictness.ts';

export interface PostOfficeOptions {
  readonly directory: Directory;
  readonly faults: FaultBoard;
  readonly record: Recorder;
  readonly strictness: Strictness;
  /** Whether to check repeated messages, for which every message must be remembered. */
  readonly checkResends: boolean;
}

/** Error codes of the network. */
const malformed = '479';

/** Receives the messages and receipts of linked devices and passes them on. */
export class PostOffice {
  readonly #options: PostOfficeOptions;
  readonly #delayed = new Set<NodeJS.Timeout>();
  readonly #resends = new Resends();

  constructor(options: PostOfficeOptions) {
    this.#options = options;
  }

  close(): void {
    for (const timer of this.#delayed) clearTimeout(timer);
  }

  /** Somebody has asked this device to send a message again. */
  readonly asked = (sender: LinkedDevice, receipt: Receipt): void => {
    const { recipient } = recipientOf(sender.account, receipt);
    if (this.#options.checkResends) this.#resends.asked(sender, receipt.id, receipt.from, { count: receipt.retry, recipient });
  };

  message(sender: LinkedDevice, node: BinaryNode): void {
    const to = this.#options.directory.byJid(node.attrs.recipient ?? node.attrs.to);
    if (!to || !node.attrs.id) this.#refuse(sender, node, `${node.attrs.id} is addressed to ${node.attrs.to}`);
    // Internal messages of a device to its own phone; the phone does not react to them.
    else if (node.attrs.category === 'peer') {
      const error = tokenRefusal(sender.account, to, node, Date.now() / 1000);
      this.#acknowledge(sender, node, error === null ? {} : { error });
    } else this.#take(sender, to, node);
  }

  /** A linked device's receipt for something that it received. */
  receipt(sender: LinkedDevice, node: BinaryNode): void {
    const { directory, record } = this.#options;
    const id = node.attrs.id ?? '';
    const device = directory.byJid(node.attrs.to)?.device(parseJid(node.attrs.to)?.device ?? 0);
    sender.send({
      tag: 'ack',
      attrs: { class: 'receipt', id, from: node.attrs.to ?? '', ...(node.attrs.type ? { type: node.attrs.type } : {}) },
    });
    // A receipt for a message also acknowledges it.
    if (node.attrs.type !== 'retry') sender.acknowledged('message', id, '');
    if (!device) return;
    record.receipt({ from: sender.account.number, to: device.account.number, id, type: node.attrs.type ?? 'delivery' });
    if (node.attrs.type !== 'retry') return;
    const retry = Number(child(node, 'retry')?.attrs.count ?? 1);
    const to = node.attrs.recipient ? directory.byJid(node.attrs.recipient) : sender.account;
    device.receive({ id, from: sender, to: to ?? sender.account, type: 'retry', retry, registrationId: 0, keys: readRetryKeys(node) });
  }

  #take(sender: LinkedDevice, to: Account, node: BinaryNode): void {
    const { faults, record } = this.#options;
    const from = sender.account.number;
    record.stanza({ from, to: to.number, id: node.attrs.id ?? '' });
    const fault = faults.forMessage(from, to.number);
    if (fault?.kind === 'refuse') this.#acknowledge(sender, node, { error: String(fault.code) });
    else if (fault?.kind === 'drop_before') sender.cut();
    else this.#accept(sender, to, node, fault);
  }

  #accept(sender: LinkedDevice, to: Account, node: BinaryNode, fault: MessageFault | null): void {
    const refusal = this.#refusal(sender.account, to, node);
    if (refusal) {
      this.#acknowledge(sender, node, { error: refusal });
      return;
    }
    const outgoing = this.#read(sender, to, node);
    if (!outgoing) return;
    if (fault?.kind === 'delay') this.#later(fault.ms, () => this.#pass(sender, node, outgoing, null));
    else this.#pass(sender, node, outgoing, fault);
  }

  /** Why the message is refused as a whole; null when it is not. */
  #refusal(sender: Account, to: Account, node: BinaryNode): string | null {
    const refusal = reachOutRefusal(sender, to) ?? addressingRefusal(sender, to, node);
    if (refusal !== null || !this.#options.strictness.contactTokens) return refusal;
    const untrusted = tokenRefusal(sender, to, node, Date.now() / 1000);
    if (untrusted !== null) this.#options.record.withoutToken.push({ from: sender.number, to: to.number, id: node.attrs.id ?? '' });
    return untrusted;
  }

  #read(sender: LinkedDevice, to: Account, node: BinaryNode): Outgoing | null {
    const { directory, record } = this.#options;
    try {
      const outgoing = readOutgoing(sender, to, node, (jid) => directory.byJid(jid));
      const { id, missing, unknown } = outgoing;
      const resend = this.#options.checkResends ? this.#resends.check(sender, node, outgoing) : null;
      if (resend !== null) record.resent({ from: sender.account.number, to: to.number, id, ...resend });
      if (missing.length + unknown.length > 0) record.misdirected({ from: sender.account.number, to: to.number, id }, missing, unknown);
      return outgoing;
    } catch (error) {
      this.#refuse(sender, node, error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  #pass(sender: LinkedDevice, node: BinaryNode, outgoing: Outgoing, fault: MessageFault | null): void {
    const { to, parcels, deviceHash } = outgoing;
    countChat(sender.account, to);
    sender.account.chats.add(to.number);
    to.chats.add(sender.account.number);
    to.tokens.heardFrom.add(sender.account.number);
    const spoiled = fault?.kind === 'undecryptable';
    // The acknowledgement is sent first, because recipients' receipts never overtake it on the real network.
    const stale = fault?.kind === 'stale_lid' || (parseJid(node.attrs.to)?.server === 'lid' && parseJid(node.attrs.to)?.user !== to.lid);
    const more = { ...(deviceHash ? { phash: deviceHash } : {}), ...(stale ? { refresh_lid: 'true' } : {}) };
    if (fault?.kind !== 'lose_ack' && fault?.kind !== 'drop') this.#acknowledge(sender, node, more);
    for (const { target, parcel } of parcels) {
      target.deliver(spoiled && target === to.phone ? { ...parcel, spoiled } : parcel);
    }
    if (fault?.kind === 'drop') sender.cut();
  }

  #refuse(sender: LinkedDevice, node: BinaryNode, why: string): void {
    this.#options.record.problem(`refused a message of ${sender.account.number}: ${why}`);
    this.#acknowledge(sender, node, { error: malformed });
  }

  #acknowledge(sender: LinkedDevice, node: BinaryNode, more: Record<string, string> = {}): void {
    const { id = '', to = '' } = node.attrs;
    const copies = children(child(node, 'participants'), 'to');
    const devices = copies.map(({ attrs }) => attrs.jid ?? '');
    const types = copies.map((copy) => child(copy, 'enc')?.attrs.type ?? '');
    const tags = children(node).map(({ tag }) => tag);
    this.#options.record.envelope({ id, to, attrs: node.attrs, devices, types, children: tags, refusal: more.error ?? null });
    acknowledge(sender, node, more);
  }

  #later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#delayed.delete(timer);
      work();
    }, ms);
    this.#delayed.add(timer);
  }
}

function acknowledge(sender: LinkedDevice, node: BinaryNode, more: Record<string, string> = {}): void {
  sender.send({ tag: 'ack', attrs: { class: 'message', id: node.attrs.id ?? '', from: node.attrs.to ?? '', t: nowSeconds(), ...more } });
}
