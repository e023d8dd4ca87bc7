import { type AgeTime, Mutex } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import type { SandboxPhones } from '../index.ts';
import { type ReadMessage, readBounded } from './bounded-read.ts';
import type { DeliveredFiles } from './files/files.ts';
import { fileNameOf, withFile } from './message-row.ts';
import { findContacts, findDevices, findMessageId, findMessageIds, findMessages, type Kept, removeDevicesOfPhone } from './queries.ts';
import { keptAt } from './retention.ts';
import type { SandboxLink } from './sandbox-link.ts';

const maxContacts = 200;
const sha256Pattern = /^[0-9a-f]{64}$/;

export interface PhonesOptions {
  readonly db: Store['db'];
  readonly time: Pick<AgeTime, 'earliest'>;
  /** The open links of this process. */
  readonly links: ReadonlySet<SandboxLink>;
  readonly files: DeliveredFiles;
}

export function createPhones({ db, time, links, files }: PhonesOptions): SandboxPhones {
  async function withFiles(accountId: string, messages: readonly ReadMessage[], kept: Kept) {
    const names = new Set(messages.flatMap(({ message }) => fileNameOf(message) ?? []));
    const available = await files.available(accountId, names, kept.after);
    return messages.map(({ row, message }) => ({ row, message: withFile(message, row.file, available) }));
  }

  // One answer at a time, so that several large ones do not block the process.
  const turns = new Mutex();
  const read = (ids: readonly number[], { after }: Kept) => turns.take(() => readBounded(ids, (some) => findMessages(db, some, after)));

  return {
    async scan(accountId, code, phoneNumber) {
      for (const link of links) {
        if (link.accountId !== accountId) continue;
        const pairing = link.scannedBy(code, phoneNumber);
        if (pairing === null) continue;
        await pairing;
        return { instanceId: link.instanceId, phoneNumber };
      }
      return null;
    },
    async unlink(accountId, phoneNumber) {
      const removed = await removeDevicesOfPhone(db, accountId, phoneNumber);
      const first = removed[0];
      if (first === undefined) return null;
      const instances = new Set(removed.map(({ instanceId }) => instanceId));
      const devices = new Set(removed.map(({ id }) => id));
      // Links that are still logging in or pairing handle this once they have finished.
      await Promise.all([...links].filter(({ instanceId }) => instances.has(instanceId)).map((link) => link.devicesRemoved(devices)));
      return { instanceId: first.instanceId };
    },
    async messages(accountId, to, { limit = Number.POSITIVE_INFINITY, before, after } = {}) {
      const kept = keptAt(time.earliest());
      const ids = await findMessageIds(db, accountId, to, kept);
      const messageId = after ?? before;
      const id = messageId === undefined ? undefined : await findMessageId(db, accountId, to, messageId);
      if (messageId !== undefined && id === undefined) return null;
      const wanted = id === undefined ? ids : ids.filter((one) => (after === undefined ? one < id : one > id));
      if (after === undefined) wanted.reverse();
      const { messages, hasMore } = await read(wanted.slice(0, limit), kept);
      if (after === undefined) messages.reverse();
      return { messages: messages.map(({ message }) => message), hasMore: hasMore || wanted.length > limit };
    },
    async chat(accountId, to) {
      const kept = keptAt(time.earliest());
      const { messages } = await read((await findMessageIds(db, accountId, to, kept)).reverse(), kept);
      return (await withFiles(accountId, messages.reverse(), kept)).map(({ message }) => message);
    },
    async contacts(accountId) {
      const kept = keptAt(time.earliest());
      const counts = await findContacts(db, accountId, kept, maxContacts);
      const { messages } = await read([...counts.keys()], kept);
      return (await withFiles(accountId, messages, kept)).map(({ row, message }) => ({
        phone_number: message.to,
        message_count: counts.get(row.id) ?? 0,
        last_message: message,
      }));
    },
    async file(accountId, sha256) {
      if (!sha256Pattern.test(sha256)) return null;
      return files.find(accountId, sha256, keptAt(time.earliest()).after);
    },
    linkedPhones: (accountId) => findDevices(db, accountId),
    async openCodes(accountId) {
      return [...links].flatMap(({ accountId: owner, instanceId, shownCode }) =>
        owner === accountId && shownCode !== null ? [{ instanceId, ...shownCode }] : [],
      );
    },
  };
}
