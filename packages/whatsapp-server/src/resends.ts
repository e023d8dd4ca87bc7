import type { BinaryNode } from 'baileys';
import { type Device, deviceJid } from './device.ts';
import type { LinkedDevice } from './linked-device.ts';
import { child } from './nodes.ts';
import type { Outgoing } from './outgoing.ts';

interface Asked {
  readonly count: number;
  /** The `recipient` attribute of its receipt, present when a device of the sender's own account has asked. */
  readonly recipient: string | undefined;
}

/** How long devices that were left out may still get the message, in milliseconds. */
const completionMs = 5 * 60_000;

/**
 * Checks what is sent again with the same id. The answer to a retry receipt goes only to the device that asked and repeats what its receipt said
 * (tulir/whatsmeow, retry.go). Otherwise only devices that the sender did not know may get the message, within five minutes.
 */
export class Resends {
  readonly #asked = new Map<string, Asked>();
  readonly #sent = new Map<string, { readonly at: number; readonly devices: Set<Device> }>();

  /** A device has asked the sender to send a message again. */
  asked(sender: LinkedDevice, id: string, by: Device, asked: Asked): void {
    this.#asked.set(`${deviceJid(sender)} ${id} ${deviceJid(by)}`, asked);
  }

  /**
   * Returns the devices of a repetition; null for a message sent for the first time or as a whole. Throws, in plain words, when the real network
   * would refuse it.
   */
  check(sender: LinkedDevice, node: BinaryNode, { id, parcels }: Outgoing): { readonly count: number; readonly devices: string[] } | null {
    const name = `${deviceJid(sender)} ${id}`;
    const before = this.#sent.get(name) ?? { at: Date.now(), devices: new Set<Device>() };
    const targets = parcels.map(({ target }) => target);
    const count = Number(parcels.find(({ parcel }) => parcel.retry > 0)?.parcel.retry ?? 0);
    const isPart = node.attrs.device_fanout === 'false';
    if (count > 0) this.#checkAnswer(name, node, targets, count);
    else if (isPart) {
      if (before.devices.size === 0) throw new Error(`${id} is sent to some devices before it was sent at all`);
      if (Date.now() > before.at + completionMs) throw new Error(`${id} is completed later than five minutes after it was sent`);
      if (targets.some((target) => before.devices.has(target))) throw new Error(`${id} is sent again to a device that has it`);
    } else if (child(node, 'enc') !== undefined) throw new Error(`${id} is for one device and says no count`);
    for (const target of targets) before.devices.add(target);
    this.#sent.set(name, before);
    return isPart ? { count, devices: targets.map(deviceJid) } : null;
  }

  #checkAnswer(name: string, node: BinaryNode, targets: readonly Device[], count: number): void {
    const [target] = targets;
    const asked = target === undefined ? undefined : this.#asked.get(`${name} ${deviceJid(target)}`);
    const { id, device_fanout, recipient } = node.attrs;
    if (child(node, 'enc') === undefined || targets.length !== 1) throw new Error(`${id} answers a retry receipt to more than its sender`);
    if (asked?.count !== count) throw new Error(`${id} is repeated with count ${count} where ${asked?.count ?? 'nothing'} was asked for`);
    if (device_fanout !== 'false') throw new Error(`${id} answers a retry receipt without device_fanout=false`);
    if (recipient !== asked.recipient) throw new Error(`${id} answers a retry receipt with another recipient`);
  }
}
