import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../core/index.ts';
import { readFolder } from './baileys.ts';
import { type Archive, asLabel, type Found, found, mostNumbers, Unusable } from './found.ts';
import { openWhatsmeow } from './whatsmeow.ts';

type Reads = Map<string, () => Promise<Found>>;

/**
 * The folder in which WAHA keeps its sessions (`.sessions`): `noweb/NAME` is a folder of Baileys, `gows/NAME/gows.db` a store of whatsmeow. A session
 * that cannot be read is there with its problem. Throws OperatorError when there are none.
 */
export async function openWaha(path: string): Promise<Archive> {
  const reads: Reads = new Map();
  for (const name of await foldersIn(join(path, 'noweb'))) {
    reads.set(`noweb/${name}`, () => readFolder(name, join(path, 'noweb', name), false));
  }
  for (const name of await foldersIn(join(path, 'gows'))) {
    await addStore(reads, name, join(path, 'gows', name, 'gows.db'));
    if (reads.size > mostNumbers) break;
  }
  if (reads.size === 0) throw new OperatorError(`${path} holds no sessions of WAHA: there is no folder noweb/NAME and no gows/NAME`);
  if (reads.size > mostNumbers) throw new OperatorError(`${path} holds more than ${mostNumbers} numbers; import them in parts`);
  return {
    sources: [...reads.keys()],
    read: async (source) => {
      const read = reads.get(source);
      if (read === undefined) throw new Error(`no session ${source}`);
      return { ...(await read()), source };
    },
    wasUsed: async () => false,
    close: async () => undefined,
  };
}

/** Adds the numbers in the store of a session. */
async function addStore(reads: Reads, name: string, file: string): Promise<void> {
  try {
    const devices = await inStore(file, async ({ sources }) => sources);
    if (devices.length === 0) throw new Unusable('was never linked: its gows.db names no device');
    for (const jid of devices) {
      const source = `gows/${name}${devices.length === 1 ? '' : `/${jid}`}`;
      // One copy at a time, because each is as large as the session's messages.
      reads.set(source, () => found(source, '', () => inStore(file, async (archive) => named(await archive.read(jid), name))));
    }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    const [source, problem] = [`gows/${name}`, error.message];
    reads.set(source, async () => ({ source, stamp: '', problem, number: null }));
  }
}

/** Throws Unusable when the store cannot be read: it is that of one session. */
async function inStore<T>(file: string, work: (archive: Archive) => Promise<T>): Promise<T> {
  try {
    const archive = await openWhatsmeow(file);
    try {
      return await work(archive);
    } finally {
      await archive.close();
    }
  } catch (error) {
    throw error instanceof OperatorError ? new Unusable(`its gows.db cannot be read: ${error.message}`) : error;
  }
}

function named(found: Found, name: string): Found {
  return found.number === null ? found : { ...found, label: asLabel(name) };
}

/** Files beside the sessions, such as those of macOS, are none. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isFile())
    .map(({ name }) => name)
    .sort();
}
