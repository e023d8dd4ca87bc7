import type { LastingTime } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import type { SandboxPhones } from '../index.ts';
import type { DeliveredFiles } from './files/files.ts';
import { type ChatRow, fileNameOf, fromRow, withFile } from './message-row.ts';
import { findChat, findContacts, findDevices, findMessages, type Kept, removeDevicesOfPhone } from './queries.ts';
import { keptAt } from './retention.ts';
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
  async function withFiles<Row extends ChatRow>(accountId: string, rows: readonly Row[], kept: Kept) {
    const messages = rows.map((row) => ({ row, message: fromRow(row) }));
    const names = new Set(messages.flatMap(({ message }) => fileNameOf(message) ?? []));
    const available = await files.available(accountId, names, kept.after);
    return messages.map(({ row, message }) => ({ row, message: withFile(message, row.file, available) }));
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
    async messages(accountId, to) {
      return (await findMessages(db, accountId, to, keptAt(time.now()))).map(fromRow);
    },
    async chat(accountId, to) {
      const kept = keptAt(time.now());
      return (await withFiles(accountId, await findChat(db, accountId, to, kept), kept)).map(({ message }) => message);
    },
    async contacts(accountId) {
      const kept = keptAt(time.now());
      const contacts = await withFiles(accountId, await findContacts(db, accountId, kept, maxContacts), kept);
      return contacts.map(({ row, message }) => ({ phone_number: row.to_number, message_count: row.count, last_message: message }));
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
