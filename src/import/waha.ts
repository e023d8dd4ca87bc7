import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../core/index.ts';
import { openBaileys } from './baileys.ts';
import { type Archive, asLabel, type Found } from './found.ts';
import { openWhatsmeow } from './whatsmeow.ts';

/**
 * The folder in which WAHA keeps its sessions (`.sessions`): `noweb/NAME` is a folder of Baileys, `gows/NAME/gows.db` a store of whatsmeow. Throws
 * OperatorError when there is neither.
 */
export async function openWaha(path: string): Promise<Archive> {
  const reads = new Map<string, () => Promise<Found>>();
  const noweb = join(path, 'noweb');
  if ((await namesIn(noweb)).length > 0) {
    const archive = await openBaileys(noweb);
    for (const name of archive.sources) reads.set(`noweb/${name}`, () => archive.read(name));
  }
  for (const name of await namesIn(join(path, 'gows'))) {
    const file = join(path, 'gows', name, 'gows.db');
    if (!(await isFile(file))) continue;
    const devices = await inStore(file, async ({ sources }) => sources);
    for (const jid of devices) {
      const source = `gows/${name}${devices.length === 1 ? '' : `/${jid}`}`;
      // One copy at a time, because each is as large as the session's messages.
      reads.set(source, () => inStore(file, async (archive) => named(await archive.read(jid), source, name)));
    }
  }
  if (reads.size === 0)
    throw new OperatorError(`${path} holds no sessions of WAHA: there is no noweb/NAME/creds.json and no gows/NAME/gows.db`);
  return {
    sources: [...reads.keys()],
    read: async (source) => {
      const read = reads.get(source);
      if (read === undefined) throw new Error(`no session ${source}`);
      return { ...(await read()), source };
    },
    isUsed: async () => false,
    close: async () => undefined,
  };
}

async function inStore<T>(file: string, work: (archive: Archive) => Promise<T>): Promise<T> {
  const archive = await openWhatsmeow(file);
  try {
    return await work(archive);
  } finally {
    await archive.close();
  }
}

function named(found: Found, source: string, name: string): Found {
  return found.number === null ? { ...found, source } : { ...found, source, label: asLabel(name) };
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).then(
    (names) => names.sort(),
    () => [],
  );

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (state) => state.isFile(),
    () => false,
  );
