import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { OperatorError } from '../core/index.ts';
import { type ImportedNumber, importedTypes, type KeyPair } from '../networks/whatsapp/imported-number.ts';
import { readCredentials, readJson, readKey, readPair } from './baileys-values.ts';
import { type Archive, asLabel, type Found, found, type Left, mostNumbers, Unusable } from './found.ts';
import { mergeTctokens } from './tctokens.ts';

/** Folders that Baileys' `useMultiFileAuthState` has written: one number each, one file per key. */

const credsFile = 'creds.json';
const mostFiles = 300_000;
const mostCredsBytes = 16 * 1024 * 1024;
const mostKeyBytes = 1024 * 1024;
const mostBytes = 512 * 1024 * 1024;

/** Opens such a folder, or a folder of such folders. Throws OperatorError when it is neither. */
export async function openBaileys(path: string): Promise<Archive> {
  const inside = await list(path);
  const isOne = inside.includes(credsFile);
  const folders: string[] = [];
  if (!isOne && inside.length > mostFiles) throw new OperatorError(`${path} holds more than ${mostFiles} files and folders`);
  for (const name of isOne ? [] : inside.sort()) {
    if (await mayBeNumber(join(path, name))) folders.push(name);
  }
  if (!isOne && folders.length === 0) {
    throw new OperatorError(`${path} is no folder of useMultiFileAuthState, and holds none: there is no ${credsFile}`);
  }
  if (folders.length > mostNumbers) throw new OperatorError(`${path} holds more than ${mostNumbers} numbers; import them in parts`);
  return {
    sources: isOne ? [basename(path)] : folders,
    read: (source) => readFolder(source, isOne ? path : join(path, source), isOne),
    wasUsed: async () => false,
    close: async () => undefined,
  };
}

/** One that cannot be read may be, and gets a line that says so. */
async function mayBeNumber(folder: string): Promise<boolean> {
  const state = await lstat(folder).catch(() => null);
  if (state?.isDirectory() !== true) return false;
  const names = await readdir(folder).catch(() => null);
  return names === null || names.includes(credsFile);
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    throw new OperatorError(`${folder} cannot be read as a folder`);
  }
}

/** Reads the folder of one number. `isOne`: nothing else was opened, and the folder is mostly named after the program. */
export async function readFolder(source: string, folder: string, isOne: boolean): Promise<Found> {
  return found(source, '', async () => {
    const { files, stamp, usedAt } = await lookInto(folder);
    const credentials = readCredentials(readJson(await readText(join(folder, credsFile), mostCredsBytes)));
    const { left, ...keys } = await readKeys(textsOf(folder, files));
    const label = asLabel(isOne ? credentials.name : source);
    return { source, stamp, problem: null, number: { ...credentials, ...keys }, label, usedAt, left };
  });
}

/** The names of files and what is in them; nothing for one that cannot be read, as Baileys takes it. */
export async function* textsOf(folder: string, files: readonly string[]): AsyncGenerator<readonly [file: string, text: string]> {
  for (const file of files) yield [file, isKey(file) ? await readText(join(folder, file), mostKeyBytes).catch(() => '') : ''];
}

/** Reads keys by the names of their files. Throws Unusable when they are too many. */
export async function readKeys(
  texts: AsyncIterable<readonly [file: string, text: string]>,
): Promise<Pick<ImportedNumber, 'preKeys' | 'records'> & { readonly left: Left }> {
  const preKeys = new Map<string, KeyPair>();
  const records = new Map<string, unknown>();
  const left = { groupKeys: 0, sessions: 0, unreadable: 0 };
  let bytes = 0;
  for await (const [file, text] of texts) {
    if (file.startsWith('sender-key-')) left.groupKeys++;
    const key = keyOf(file);
    if (key === null) continue;
    bytes += text.length;
    if (bytes > mostBytes) throw new Unusable(`has more than ${mostBytes / 1024 / 1024} MB of keys`);
    const value = readJson(text);
    if (key.type === 'pre-key') {
      const pair = readPair(value);
      if (pair === null) left.unreadable++;
      else preKeys.set(key.id, pair);
      continue;
    }
    const taken = readKey(key.type, key.id, value);
    if (taken !== null) records.set(`${key.type}:${key.id}`, taken);
    else if (key.type === 'session') left.sessions++;
    else left.unreadable++;
  }
  return { preKeys, records: mergeTctokens(records), left };
}

/** The regular files of a folder, and what changes when one of them does. Throws Unusable. */
export async function lookInto(folder: string): Promise<{ files: string[]; stamp: string; usedAt: number | null }> {
  const names = await readdir(folder).catch(() => {
    throw new Unusable('its folder cannot be read');
  });
  if (names.length > mostFiles) throw new Unusable(`has more than ${mostFiles} files`);
  const files: string[] = [];
  const states: string[] = [];
  let usedAt = 0;
  for (const name of names.sort()) {
    const state = await lstat(join(folder, name)).catch(() => null);
    if (state === null || !state.isFile()) continue;
    files.push(name);
    states.push(`${name} ${state.size} ${state.mtimeMs}`);
    usedAt = Math.max(usedAt, state.mtimeMs);
  }
  return { files, stamp: hash('sha256', states.join('\n')), usedAt: usedAt === 0 ? null : usedAt };
}

/** The text of a file; a link is not followed. Throws Unusable. */
async function readText(path: string, most: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw new Unusable(error.code === 'ENOENT' ? `there is no ${basename(path)}` : `${basename(path)} cannot be read`);
  });
  try {
    const state = await file.stat();
    if (!state.isFile() || state.size > most) throw new Unusable(`${basename(path)} is too large`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

const isKey = (file: string): boolean => keyOf(file) !== null;

/** Which key a file holds; null for what is not taken. In names a slash is written `__`. */
function keyOf(file: string): { readonly type: string; readonly id: string } | null {
  const type = ['pre-key', ...importedTypes].find((one) => file.startsWith(`${one}-`));
  if (type === undefined || !file.endsWith('.json')) return null;
  const id = file.slice(type.length + 1, -'.json'.length);
  if (type === 'pre-key') return /^[1-9][0-9]{0,8}$/.test(id) ? { type, id } : null;
  // Baileys' own list of all tokens.
  if (type === 'tctoken' && id === '__index') return null;
  return { type, id: type === 'app-state-sync-key' ? id.replaceAll('__', '/') : id };
}
