import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../core/index.ts';
import { openBaileys } from '../baileys.ts';
import type { Archive } from '../found.ts';
import { openWaha } from '../waha.ts';
import { openWhatsmeow } from '../whatsmeow.ts';
import { typeOf, unpack } from './unpack.ts';
import type { Upload } from './upload.ts';

/**
 * Opens what was uploaded, in the working folder: an archive of a folder, or a SQLite file. Paths are relative, so that messages name no folder of
 * the server.
 */
export async function openUpload({ kind, name, file }: Upload): Promise<Archive> {
  const type = await typeOf(file);
  if (type === null) throw new OperatorError('the file is no .zip, no .tar.gz and no SQLite database');
  if (type === 'sqlite') {
    await rename(file, name);
    return withoutTime(await openWhatsmeow(name));
  }
  await unpack(file, type, name);
  if (kind === 'whatsmeow') return openStoreIn(name);
  return openFolder(kind === 'waha' ? openWaha : openBaileys, name);
}

/** A file by itself arrives without the time of its last change. */
function withoutTime(archive: Archive): Archive {
  return {
    ...archive,
    async read(source) {
      const found = await archive.read(source);
      return found.number === null ? found : { ...found, usedAt: null };
    },
  };
}

/** Opens a folder, or the one folder in it: many archives begin with the folder that was packed. */
async function openFolder(open: (folder: string) => Promise<Archive>, folder: string): Promise<Archive> {
  try {
    return await open(folder);
  } catch (error) {
    const [only, ...more] = await readdir(folder, { withFileTypes: true });
    if (only === undefined || more.length > 0 || !only.isDirectory()) throw error;
    return openFolder(open, join(folder, only.name)).catch(() => {
      throw error;
    });
  }
}

/** Opens the one database of whatsmeow among the files of a folder. Programs have others beside it. */
async function openStoreIn(folder: string): Promise<Archive> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const opened: Archive[] = [];
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    if ((await typeOf(path)) !== 'sqlite') continue;
    const archive = await openWhatsmeow(path).catch((error: unknown) => {
      if (error instanceof OperatorError) return null;
      throw error;
    });
    if (archive !== null) opened.push(archive);
  }
  const [only, ...more] = opened;
  if (only !== undefined && more.length === 0) return only;
  for (const archive of opened) await archive.close();
  throw new OperatorError(
    only === undefined
      ? 'the archive holds no SQLite database with the tables of whatsmeow'
      : `the archive holds ${opened.length} databases of whatsmeow; upload them one by one`,
  );
}
