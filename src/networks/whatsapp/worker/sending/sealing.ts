import { proto } from 'baileys';
import { type Ciphertext, OutgoingSession, type Sender } from '../library/outgoing-session.ts';
import type { LinkMemory } from './link-memory.ts';
import type { Device } from './recipients.ts';
import type { SendingSocket } from './socket.ts';

/** A message to be encrypted: the same bytes for some devices, others for the sender's own. */
export interface Plain {
  readonly parts: readonly { readonly devices: readonly Device[]; readonly bytes: Uint8Array }[];
}

/** What became of it: encrypted for each device that has a session. */
export interface Sealed {
  readonly parts: readonly { readonly device: Device; readonly ciphertext: Ciphertext }[];
  /** Devices without a session. */
  readonly missing: readonly Device[];
}

/**
 * Encrypts a batch of messages in their order. The sessions are read once and written once, and this resolves when they are stored:
 * a message key that has been on the wire can then never be used again, whatever happens to the process.
 * Rejects when they cannot be read or stored; then none of the messages may be sent.
 */
export async function seal(sock: SendingSocket, memory: LinkMemory, batch: readonly Plain[]): Promise<Sealed[]> {
  const { keys } = sock.authState;
  const work = async () => {
    const addresses = new Set(batch.flatMap(({ parts }) => parts.flatMap(({ devices }) => devices.map(({ address }) => address))));
    const sessions = sessionsOf(await keys.get('session', [...addresses]));
    const sender = senderOf(sock);
    const sealed = batch.map((plain) => sealOne(plain, sessions, sender));
    const used = new Set(sealed.flatMap(({ parts }) => parts.map(({ device }) => device.address)));
    if (used.size > 0) await keys.set({ session: recordsOf(used, sessions) });
    return sealed;
  };
  // The transaction is only taken for its lock, which keeps Baileys' own answers to retry requests apart from this: what is written within one
  // is stored after it, when the next in turn may have read already.
  return keys.transaction(() => memory.outsideTransactions(() => memory.sessions.take(work)), sock.user?.id ?? 'sending');
}

/** The bytes that are encrypted: the encoded message with the padding the protocol asks for. */
export function encoded(message: proto.IMessage): Uint8Array {
  const bytes = proto.Message.encode(message).finish();
  const padding = 1 + Math.floor(Math.random() * 16);
  const padded = Buffer.allocUnsafe(bytes.length + padding);
  padded.set(bytes);
  padded.fill(padding, bytes.length);
  return padded;
}

function sealOne({ parts }: Plain, sessions: ReadonlyMap<string, OutgoingSession>, sender: Sender): Sealed {
  const missing: Device[] = [];
  const sealed: { device: Device; ciphertext: Ciphertext }[] = [];
  for (const { devices, bytes } of parts) {
    for (const device of devices) {
      const session = sessions.get(device.address);
      if (session === undefined) missing.push(device);
      else sealed.push({ device, ciphertext: session.encrypt(bytes, sender) });
    }
  }
  return { parts: sealed, missing };
}

function sessionsOf(records: Readonly<Record<string, unknown>>): Map<string, OutgoingSession> {
  const sessions = new Map<string, OutgoingSession>();
  for (const [address, record] of Object.entries(records)) {
    const session = OutgoingSession.of(record);
    if (session !== null) sessions.set(address, session);
  }
  return sessions;
}

/** Baileys calls a record bytes, which it was in older versions of its library. */
function recordsOf(addresses: Iterable<string>, sessions: ReadonlyMap<string, OutgoingSession>): Record<string, Uint8Array> {
  const records: Record<string, unknown> = {};
  for (const address of addresses) records[address] = sessions.get(address)?.record();
  return records as Record<string, Uint8Array>;
}

function senderOf({ authState }: SendingSocket): Sender {
  const { registrationId, signedIdentityKey } = authState.creds;
  return { registrationId, identityKey: Buffer.concat([Buffer.of(5), signedIdentityKey.public]) };
}
