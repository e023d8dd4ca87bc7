import { proto } from 'baileys';
import { BatchEncryption, type Ciphertext } from '../library/batch-encryption.ts';
import type { LinkMemory } from './link-memory.ts';
import type { Device } from './recipients.ts';
import type { SendingSocket } from './socket.ts';

/** A message to be encrypted: one plaintext for the recipient's devices and another for the sender's own. */
export interface Plain {
  readonly parts: readonly { readonly devices: readonly Device[]; readonly bytes: Buffer }[];
}

/** The encrypted message, for each device that has a SignalSession. */
export interface Sealed {
  readonly parts: readonly { readonly device: Device; readonly ciphertext: Ciphertext }[];
  /** Devices without a SignalSession. */
  readonly missing: readonly Device[];
}

/**
 * Encrypts a batch of messages in order. The SignalRecords are read once and written once, and this resolves when they are stored. The key of a
 * message that has been sent is therefore never used again, even after a crash. Rejects when they cannot be read or stored; then none of the messages
 * may be sent.
 */
export async function seal(sock: SendingSocket, memory: LinkMemory, batch: readonly Plain[]): Promise<Sealed[]> {
  const { keys, creds } = sock.authState;
  const work = async () => {
    const addresses = new Set(batch.flatMap(({ parts }) => parts.flatMap(({ devices }) => devices.map(({ address }) => address))));
    const encryption = new BatchEncryption(await keys.get('session', [...addresses]), creds);
    const sealed: Sealed[] = [];
    for (const plain of batch) sealed.push(await sealOne(plain, encryption));
    const changed = encryption.changed();
    if (Object.keys(changed).length > 0) await keys.set({ session: changed });
    return sealed;
  };
  // The transaction is used only as a lock against Baileys' own answers to retry requests. Writes inside it would be stored only after it ends, when
  // the next in turn may have read already, so the work runs outside it.
  return keys.transaction(() => memory.outsideTransactions(() => memory.signalSessionTurns.take(work)), sock.user?.id ?? 'sending');
}

/** The bytes to encrypt: the encoded message with the padding that the protocol requires. */
export function encoded(message: proto.IMessage): Buffer {
  const bytes = proto.Message.encode(message).finish();
  const padding = 1 + Math.floor(Math.random() * 16);
  const padded = Buffer.allocUnsafe(bytes.length + padding);
  padded.set(bytes);
  padded.fill(padding, bytes.length);
  return padded;
}

async function sealOne({ parts }: Plain, encryption: BatchEncryption): Promise<Sealed> {
  const missing: Device[] = [];
  const sealed: { device: Device; ciphertext: Ciphertext }[] = [];
  for (const { devices, bytes } of parts) {
    for (const device of devices) {
      const ciphertext = await encryption.encrypt(device.address, bytes);
      if (ciphertext === null) missing.push(device);
      else sealed.push({ device, ciphertext });
    }
  }
  return { parts: sealed, missing };
}
