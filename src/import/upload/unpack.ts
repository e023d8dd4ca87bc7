import { createReadStream, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { OperatorError, quote } from '../../core/index.ts';

const mostEntries = 100_000;
const mostFolders = 5_000;
const mostBytes = 256 * 1024 * 1024;
/** Of a path in the archive: what is unpacked must have paths that the system can remove again. */
const mostPathBytes = 1024;

/** What a file is, by its first bytes; null: none of these. */
export async function typeOf(file: string): Promise<'zip' | 'tar.gz' | 'sqlite' | null> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    const start = buffer.subarray(0, bytesRead).toString('latin1');
    if (start === 'SQLite format 3\0') return 'sqlite';
    if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return 'zip';
    return start.startsWith('\x1f\x8b') ? 'tar.gz' : null;
  } finally {
    await handle.close();
  }
}

/** Writes the files of an archive into a folder. Throws OperatorError when it is damaged, too large, or holds anything but files and folders. */
export async function unpack(file: string, type: 'zip' | 'tar.gz', folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  try {
    await (type === 'zip' ? unpackZip(file, new Unpacked(folder)) : unpackTar(file, new Unpacked(folder)));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
      throw new OperatorError('the disk has no room to unpack the archive');
    throw new OperatorError('the archive is damaged or not complete');
  }
}

/** What was unpacked so far, within its bounds. */
class Unpacked {
  readonly #folder: string;
  readonly #folders: Set<string>;
  #entries = 0;
  #bytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#folders = new Set([folder]);
  }

  /** Where an entry goes; null: it is not written. Its size is what the archive states. */
  place(name: string, size: number): string | null {
    if (!(size >= 0)) throw new Error('no size');
    this.#entries++;
    this.#bytes += size;
    if (this.#entries > mostEntries) throw new OperatorError(`the archive holds more than ${mostEntries} files and folders`);
    if (this.#bytes > mostBytes) throw tooLarge();
    if (Buffer.byteLength(name) > mostPathBytes) throw new OperatorError(`the archive holds a path of more than ${mostPathBytes} bytes`);
    const parts = name.split('/').filter((part) => part !== '' && part !== '.');
    if (name.startsWith('/') || /[\\\0]/.test(name) || parts.includes('..')) throw leadsOut(name);
    // What macOS adds of its own.
    const isOfMacOs = parts[0] === '__MACOSX' || parts.at(-1)?.startsWith('._') === true || parts.at(-1) === '.DS_Store';
    return name.endsWith('/') || parts.length === 0 || isOfMacOs ? null : join(this.#folder, ...parts);
  }

  /**
   * Writes a file that is not there yet, with the time of its last change: it says when the number was used. All at once, because there are many
   * small ones, and this process does nothing else.
   */
  write(path: string, content: Uint8Array, changed: Date): void {
    this.#makeFolder(dirname(path));
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    utimesSync(path, changed, changed);
  }

  /** One by one, because one path may name hundreds. */
  #makeFolder(path: string): void {
    if (this.#folders.has(path)) return;
    this.#makeFolder(dirname(path));
    if (this.#folders.size > mostFolders) throw new OperatorError(`the archive unpacks to more than ${mostFolders} folders`);
    mkdirSync(path, { mode: 0o700 });
    this.#folders.add(path);
  }
}

async function unpackZip(file: string, unpacked: Unpacked): Promise<void> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    // It compares the stated size with the real one.
    fromBuffer(readFileSync(file), { lazyEntries: true, validateEntrySizes: true }, (error, opened) =>
      error === null ? resolve(opened) : reject(error),
    );
  });
  try {
    for await (const entry of entriesOf(zip)) {
      const path = unpacked.place(entry.fileName, entry.uncompressedSize);
      const format = (entry.externalFileAttributes >>> 16) & 0o170000;
      if (format !== 0 && format !== 0o100000 && format !== 0o040000) throw noFile(entry.fileName);
      if ((entry.generalPurposeBitFlag & 1) === 1) throw new OperatorError('the archive is encrypted; pack it without a password');
      if (path === null) continue;
      const stream = await new Promise<Readable>((resolve, reject) => {
        zip.openReadStream(entry, (error, opened) => (error === null ? resolve(opened) : reject(error)));
      });
      const content = await buffer(stream);
      if (crc32(content) !== entry.crc32) throw new Error('the checksum differs');
      unpacked.write(path, content, entry.getLastModDate());
    }
  } finally {
    zip.close();
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const { promise, resolve, reject } = Promise.withResolvers<Entry | null>();
    const ended = () => resolve(null);
    zip.once('entry', resolve).once('end', ended).once('error', reject);
    zip.readEntry();
    const entry = await promise.catch((error: Error) => {
      // The library refuses such names by itself.
      throw /^(invalid relative path|absolute path|invalid characters)/.test(error.message)
        ? leadsOut(error.message.split(': ')[1] ?? '')
        : error;
    });
    zip.off('entry', resolve).off('end', ended).off('error', reject);
    if (entry === null) return;
    yield entry;
  }
}

async function unpackTar(file: string, unpacked: Unpacked): Promise<void> {
  const tar = extract();
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > mostBytes ? tooLarge() : null, chunk);
    },
  });
  const fed = pipeline(createReadStream(file), createGunzip(), counted, tar);
  fed.catch(() => undefined);
  try {
    for await (const entry of tar) {
      const { name, type, size = 0, mtime = new Date() } = entry.header;
      const path = unpacked.place(type === 'directory' ? `${name}/` : name, size);
      if (type !== 'file' && type !== 'directory' && type !== 'contiguous-file') throw noFile(name);
      if (path === null) entry.resume();
      else unpacked.write(path, await buffer(entry as Readable), mtime);
    }
  } catch (error) {
    // Whichever came first has ended both.
    await fed.catch((reason: unknown) => {
      if (reason instanceof OperatorError) throw reason;
    });
    throw error;
  }
  await fed;
}

const tooLarge = () => new OperatorError(`the archive unpacks to more than ${mostBytes / 1024 / 1024} MB`);
const leadsOut = (name: string) => new OperatorError(`the archive holds a path that leads out of its folder: ${quote(name)}`);
const noFile = (name: string) => new OperatorError(`the archive holds a link or a device, ${quote(name)}; pack it without links`);
