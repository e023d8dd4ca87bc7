import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { GatewayError, OperatorError, programFile } from '../../core/index.ts';
import type { Archive, Found } from '../found.ts';

/** The programs whose store can be uploaded. */
type UploadKind = 'baileys' | 'waha' | 'whatsmeow';

/** What was uploaded, for the process that reads it. */
export interface Upload {
  readonly kind: UploadKind;
  /** The folder that it is unpacked in. */
  readonly place: string;
  /** What it is called there and in messages. */
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
const memoryMiB = 1024;

/**
 * Saves an upload in a folder of its own under `folder`, has it read by a process of its own, and removes everything again. Throws GatewayError or
 * OperatorError when it is too large, or cannot be read.
 */
export async function withUpload<T>(
  {
    folder,
    body,
    kind,
    fileName,
  }: { readonly folder: string; readonly body: AsyncIterable<Uint8Array>; readonly kind: UploadKind; readonly fileName: string },
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const place = await mkdtemp(join(folder, 'import-'));
  try {
    const file = join(place, '.upload');
    await pipeline(bounded(body), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    const reader = new Reader(place);
    try {
      return await work(await reader.open({ kind, place, name: shortName(fileName), file }));
    } finally {
      await reader.stop();
    }
  } finally {
    await rm(place, { recursive: true, force: true });
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

/** The process that unpacks and reads. */
class Reader {
  readonly #child: ChildProcess;

  constructor(place: string) {
    this.#child = spawn(process.execPath, [`--max-old-space-size=${memoryMiB}`, fileURLToPath(programFile('import-reader.js'))], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      // No setting and no secret; copies of databases stay in the folder.
      env: { PATH: process.env.PATH, TMPDIR: place },
    });
    // Without a listener a failed start would end the gateway.
    this.#child.on('error', () => undefined);
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
      isUsed: async () => false,
      close: async () => undefined,
    };
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async #ask(request: ReaderRequest): Promise<Exclude<ReaderAnswer, { outcome: 'refused' }>> {
    const child = this.#child;
    const { promise, resolve, reject } = Promise.withResolvers<ReaderAnswer>();
    const ended = () => reject(new OperatorError('what was uploaded takes too much memory or time to be read; use gateway import'));
    const unstartable = (error: Error) => reject(error);
    const timer = setTimeout(() => child.kill('SIGKILL'), answerMs);
    child.once('message', resolve).once('exit', ended).once('error', unstartable);
    // A process that takes no request is ending, and its exit follows.
    child.send(request, (error) => error !== null && child.kill('SIGKILL'));
    try {
      const answer = await promise;
      if (answer.outcome === 'refused') throw new OperatorError(answer.message);
      return answer;
    } finally {
      clearTimeout(timer);
      child.off('message', resolve).off('exit', ended).off('error', unstartable);
    }
  }
}
