import { readFile } from 'node:fs/promises';
import { type Clock, Semaphore, withTimeout } from '../../../core/index.ts';
import type { Store } from '../../../store/index.ts';
import type { MediaFile, SandboxFile } from '../../index.ts';
import { deleteSurplus, type FileKey, findFile, findFileNames, findReceipt, insertFile, noteReceipt, type Receipt } from './queries.ts';

const maxFileBytes = 4 * 1024 * 1024;
const maxAccountBytes = 64 * 1024 * 1024;

/** How long a message waits for its file to be stored, in milliseconds. After that it is delivered without the file. */
const keepMs = 10_000;
/** When a file is sent repeatedly, its receipt time is updated at most this often, because each update waits for the disk. */
const noteEveryMs = 60_000;

/** How much longer a file is kept than its messages, because its receipt may be recorded too early and its message may be stored late. */
export const fileGraceMs = noteEveryMs + keepMs;

/** At most two files are in memory at once, and only one per account: two at once could together exceed the account's storage limit. */
const filesAtOnce = 2;
const filesOfAccountAtOnce = 1;

/** The files that contacts received, kept so that they can be viewed later. Large files are not kept, and each account has a storage limit. */
export class DeliveredFiles {
  readonly #db: Store['db'];
  readonly #clock: Clock;
  readonly #slots = new Semaphore(filesAtOnce, filesOfAccountAtOnce);
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor(db: Store['db'], clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Stores a file that is being delivered, if it can be kept. Resolves when its message may be shown. Never rejects. */
  async keep(accountId: string, media: MediaFile, at: number): Promise<void> {
    if (media.size > maxFileBytes) return;
    // The file is only for viewing, so its message arrives even when the file cannot be kept.
    const kept = this.#keep({ accountId, sha256: media.sha256 }, media, at).catch(() => undefined);
    this.#running.add(kept);
    void kept.then(() => this.#running.delete(kept));
    await withTimeout(this.#clock, keepMs, kept, () => undefined);
  }

  /** The file with this hash, if a message received after `after` (epoch milliseconds) may show it. */
  find(accountId: string, sha256: string, after: number): Promise<SandboxFile | null> {
    return findFile(this.#db, { accountId, sha256 }, after - fileGraceMs);
  }

  /** Which of these files of messages received after `after` (epoch milliseconds) are kept. */
  available(accountId: string, sha256s: ReadonlySet<string>, after: number): Promise<ReadonlySet<string>> {
    return findFileNames(this.#db, accountId, sha256s, after - fileGraceMs);
  }

  /** Resolves when no file is being stored any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#running);
  }

  async #keep(key: FileKey, { path, mimeType }: MediaFile, receivedAt: number): Promise<void> {
    const receipt = { mimeType, receivedAt };
    if (await this.#noted(key, receipt)) return;
    const free = await this.#slots.take(key.accountId);
    try {
      // Another message may have stored the same file meanwhile.
      if (this.#closed || (await this.#noted(key, receipt))) return;
      const bytes = await readFile(path);
      await deleteSurplus(this.#db, key.accountId, maxAccountBytes - bytes.length);
      await insertFile(this.#db, key, { ...receipt, bytes });
    } finally {
      free();
    }
  }

  /** True when the file is stored and this receipt, or one shortly before, is recorded. */
  async #noted(key: FileKey, receipt: Receipt): Promise<boolean> {
    const last = await findReceipt(this.#db, key);
    if (last === null) return false;
    if (last.mimeType === receipt.mimeType && receipt.receivedAt - last.receivedAt < noteEveryMs) return true;
    return noteReceipt(this.#db, key, receipt);
  }
}
