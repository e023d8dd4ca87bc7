import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../core/index.ts';
import { openBaileys } from '../baileys.ts';
import type { Archive } from '../found.ts';
import { openWaha } from '../waha.ts';
import { openWhatsmeow } from '../whatsmeow.ts';
import { typeOf, unpack } from './unpack.ts';
import type { Upload } from './upload.ts';

/** Opens what was uploaded: an archive of a folder, or a SQLite file. Throws OperatorError with names of the archive alone. */
export async function openUpload({ kind, place, name, file }: Upload): Promise<Archive> {
  try {
    const type = await typeOf(file);
    if (type === null) throw new OperatorError(`${name} is no .zip, no .tar.gz and no SQLite file`);
    const content = join(place, name);
    if (type === 'sqlite') {
      await rename(file, content);
      return await openWhatsmeow(content);
    }
    await unpack(file, type, content);
    if (kind === 'whatsmeow') return await openStoreIn(content, name);
    return await openFolder(kind === 'waha' ? openWaha : openBaileys, content);
  } catch (error) {
    if (error instanceof OperatorError) throw new OperatorError(error.message.replaceAll(`${place}/`, ''));
    throw error;
  }
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
async function openStoreIn(folder: string, name: string): Promise<Archive> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const opened: Archive[] = [];
  for (const { parentPath, name: file } of files) {
    const path = join(parentPath, file);
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
      ? `${name} holds no SQLite database with the tables of whatsmeow`
      : `${name} holds ${opened.length} databases of whatsmeow; upload them one by one`,
  );
}
