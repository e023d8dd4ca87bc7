import type { LastingTime } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import type { SandboxPhones } from '../index.ts';
import { readBounded } from './bounded-read.ts';
import type { DeliveredFiles } from './files/files.ts';
import { fileNameOf, fromRow, type StoredMessage, withFile } from './message-row.ts';
import {
  type From,
  findContacts,
  findDevices,
  findMessageId,
  findMessages,
  findMessagesByIds,
  type Kept,
  removeDevicesOfPhone,
} from './queries.ts';
import { keptAt, keptMessages } from './retention.ts';
import type { SandboxLink } from './sandbox-link.ts';

const maxContacts = 200;
const sha256Pattern = /^[0-9a-f]{64}$/;

/** What the phones look into. */
export interface PhonesOptions {
  readonly db: Store['db'];
  readonly time: LastingTime;
  /** Those that are open in this process. */
  readonly links: ReadonlySet<SandboxLink>;
  readonly files: DeliveredFiles;
}

/** The phones of all people on the sandbox network. */
export function createPhones({ db, time, links, files }: PhonesOptions): SandboxPhones {
  async function withFiles(accountId: string, rows: readonly StoredMessage[], kept: Kept) {
    const messages = rows.map((row) => ({ row, message: fromRow(row) }));
    const names = new Set(messages.flatMap(({ message }) => fileNameOf(message) ?? []));
    const available = await files.available(accountId, names, kept.after);
    return messages.map(({ row, message }) => ({ row, message: withFile(message, row.file, available) }));
  }

  /** As many as one answer holds, oldest first. */
  async function read(of: { accountId: string; to: string; kept: Kept }, start: From, limit: number) {
    const forward = 'newerThan' in start;
    const page = await readBounded(limit, (count, last) => {
      const from = last === undefined ? start : forward ? { newerThan: last.id } : { olderThan: last.id };
      return findMessages(db, { ...of, from, limit: count });
    });
    if (!forward) page.rows.reverse();
    return page;
  }

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
      // Every link is told; a link whose login or pairing is under way finds out after it.
      await Promise.all([...links].filter(({ instanceId }) => instances.has(instanceId)).map((link) => link.devicesRemoved(devices)));
      return { instanceId: first.instanceId };
    },
    async messages(accountId, to, { limit = keptMessages, before, after } = {}) {
      const of = { accountId, to, kept: keptAt(time.now()) };
      let start: From = { olderThan: null };
      const messageId = after ?? before;
      if (messageId !== undefined) {
        const id = await findMessageId(db, { ...of, messageId });
        if (id === undefined) return null;
        start = after === undefined ? { olderThan: id } : { newerThan: id };
      }
      const { rows, hasMore } = await read(of, start, limit);
      return { messages: rows.map(fromRow), hasMore };
    },
    async chat(accountId, to) {
      const kept = keptAt(time.now());
      const { rows } = await read({ accountId, to, kept }, { olderThan: null }, keptMessages);
      return (await withFiles(accountId, rows, kept)).map(({ message }) => message);
    },
    async contacts(accountId) {
      const kept = keptAt(time.now());
      const contacts = await findContacts(db, accountId, kept, maxContacts);
      let read = 0;
      const { rows } = await readBounded(maxContacts, (count) => {
        const ids = contacts.slice(read, read + count).map(({ newest }) => newest);
        read += count;
        return ids.length === 0 ? Promise.resolve([]) : findMessagesByIds(db, ids);
      });
      // By id, because a message may have been deleted meanwhile.
      const counts = new Map(contacts.map(({ newest, count }) => [newest, count]));
      return (await withFiles(accountId, rows, kept)).map(({ row, message }) => ({
        phone_number: message.to,
        message_count: counts.get(row.id) ?? 1,
        last_message: message,
      }));
    },
    async file(accountId, sha256) {
      if (!sha256Pattern.test(sha256)) return null;
      return files.find(accountId, sha256, keptAt(time.now()).after);
    },
    linkedPhones: (accountId) => findDevices(db, accountId),
    async openCodes(accountId) {
      return [...links].flatMap(({ accountId: owner, instanceId, shownCode }) =>
        owner === accountId && shownCode !== null ? [{ instanceId, ...shownCode }] : [],
      );
    },
  };
}
