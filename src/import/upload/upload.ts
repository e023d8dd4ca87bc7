import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { GatewayError, OperatorError, programFile, startLimited } from '../../core/index.ts';
import type { Archive, Found } from '../found.ts';

/** The programs whose store can be uploaded. */
type UploadKind = 'baileys' | 'waha' | 'whatsmeow';

/** What was uploaded, for the process that reads it. Its working folder is the upload's own. */
export interface Upload {
  readonly kind: UploadKind;
  /** What it is called when it is unpacked, and in messages. */
  readonly name: string;
  readonly file: string;
}

export type ReaderRequest = { readonly ask: 'open'; readonly upload: Upload } | { readonly ask: 'read'; readonly source: string };
export type ReaderAnswer =
  | { readonly outcome: 'opened'; readonly sources: readonly string[] }
  | { readonly outcome: 'read'; readonly found: Found }
  | { readonly outcome: 'refused'; readonly message: string };

const mostBytes = 64 * 1024 * 1024;
/** For each request to the process. */
const answerMs = 120_000;
/** For all of them, so that the answer comes before a proxy gives up. */
const wholeMs = 540_000;
/** Of JavaScript's objects. */
const heapMiB = 1024;
/** Besides these, the archive, its largest file twice, and what V8 sets aside. */
const memoryMiB = 2304;
const folderPrefix = 'import-';
const program = fileURLToPath(programFile('import-reader.js'));

interface Arriving {
  readonly body: AsyncIterable<Uint8Array>;
  readonly kind: UploadKind;
  readonly fileName: string;
  /** Nobody waits for the answer any more: reading ends. */
  readonly signal: AbortSignal;
}

/**
 * Saves an upload in a folder of its own under `folder`, has it read by a process of its own, and removes everything again. Throws GatewayError or
 * OperatorError when it is too large, or cannot be read.
 */
export async function withUpload<T>(
  folder: string,
  { body, kind, fileName, signal }: Arriving,
  work: (archive: Archive) => Promise<T>,
  deadlineMs = wholeMs,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const place = await mkdtemp(join(folder, folderPrefix));
  try {
    const file = '.upload';
    await save(body, join(place, file));
    const reader = new Reader(await startReader(place), signal, deadlineMs);
    try {
      return await work(await reader.open({ kind, name: shortName(fileName), file }));
    } finally {
      await reader.stop();
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Removes those of these names in `folder` that a crash has left of uploads. */
export async function removeUploads(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((one) => one.startsWith(folderPrefix))) await rm(join(folder, name), { recursive: true, force: true });
}

async function save(body: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  try {
    await pipeline(bounded(body), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw new OperatorError('the disk has no room for the file');
    throw error;
  }
}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new GatewayError('payload_too_large', `The file is over 64 MB (${mostBytes} bytes).`);
    yield chunk;
  }
}

/** The name of a file as that of a folder. */
function shortName(fileName: string): string {
  const name = fileName
    .replace(/\.(zip|tgz|tar\.gz|gz|db|sqlite3?)$/i, '')
    .replace(/[^\p{L}\p{N} _-]/gu, '_')
    .trim();
  return [...name].slice(0, 60).join('') || 'upload';
}

function startReader(place: string): Promise<ChildProcess> {
  return startLimited({ memoryMiB }, process.execPath, [`--max-old-space-size=${heapMiB}`, program], {
    cwd: place,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    // Copies of databases stay in the folder.
    env: { TMPDIR: place },
  });
}

/** The process that unpacks and reads. */
class Reader {
  readonly #child: ChildProcess;
  readonly #signal: AbortSignal;
  readonly #kill = () => this.#child.kill('SIGKILL');
  readonly #deadline: NodeJS.Timeout;

  constructor(child: ChildProcess, signal: AbortSignal, deadlineMs: number) {
    this.#child = child;
    this.#deadline = setTimeout(this.#kill, deadlineMs);
    this.#signal = signal;
    signal.addEventListener('abort', this.#kill);
    if (signal.aborted) this.#kill();
  }

  async open(upload: Upload): Promise<Archive> {
    const opened = await this.#ask({ ask: 'open', upload });
    if (opened.outcome !== 'opened') throw new Error('the reader has answered something else');
    return {
      sources: opened.sources,
      read: async (source) => {
        const read = await this.#ask({ ask: 'read', source });
        if (read.outcome !== 'read') throw new Error('the reader has answered something else');
        return read.found;
      },
      wasUsed: async () => false,
      close: async () => undefined,
    };
  }

  async stop(): Promise<void> {
    const child = this.#child;
    clearTimeout(this.#deadline);
    this.#signal.removeEventListener('abort', this.#kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    this.#kill();
    await ended;
  }

  async #ask(request: ReaderRequest): Promise<Exclude<ReaderAnswer, { outcome: 'refused' }>> {
    const child = this.#child;
    const { promise, resolve, reject } = Promise.withResolvers<ReaderAnswer>();
    const ended = () => reject(new OperatorError('what was uploaded takes too much memory or time to be read; use gateway import'));
    const timer = setTimeout(this.#kill, answerMs);
    child.once('message', resolve).once('exit', ended);
    // A process that takes no request is ending, or has ended before.
    child.send(request, (error) => error !== null && ended());
    try {
      const answer = await promise;
      if (answer.outcome === 'refused') throw new OperatorError(answer.message);
      return answer;
    } finally {
      clearTimeout(timer);
      child.off('message', resolve).off('exit', ended);
    }
  }
}
