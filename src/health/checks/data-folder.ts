import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, type Finding, fail, ok, reason, t, warn } from './check.ts';

const mib = 1024 * 1024;
const needBytes = 100 * mib;
/** Less is nearly full, also for alerts. */
export const nearlyFullBytes = 1024 * mib;

/** The data folder: there, writable, with room, and its secret key kept from others. */
export const dataFolder: Check = async (_world, config) => {
  const folder = config.dataDir;
  try {
    if (!(await stat(folder)).isDirectory())
      return [fail('data folder', t('{{folder}} is not a folder', { folder }), t('move the file away, or set DATA_DIR'))];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return [
        warn(
          'data folder',
          t('{{folder}} does not exist yet', { folder }),
          t('nothing, if this is a new installation: it is created at the first start; otherwise set DATA_DIR'),
        ),
      ];
    }
    return [
      fail(
        'data folder',
        t('{{folder}} cannot be checked: {{reason}}', { folder, reason: reason(error) }),
        t('fix the permissions of the folders above it, or set DATA_DIR'),
      ),
    ];
  }
  try {
    await tryToWrite(folder);
  } catch (error) {
    const full = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    return [
      full
        ? fail(
            'data folder',
            t('the disk is full: nothing can be written in {{folder}}', { folder }),
            t('free some space now: until then sends fail'),
          )
        : fail(
            'data folder',
            t('{{folder}} cannot be written by this user: {{reason}}', { folder, reason: reason(error) }),
            t('chown or chmod it, repair the disk, or set DATA_DIR'),
          ),
      ...(full ? [await freeSpace(folder)] : []),
    ];
  }
  return [
    ok('data folder', t('{{folder}} is writable', { folder })),
    await freeSpace(folder),
    ...(await secretKey(folder, config.secretKey !== null)),
  ];
};

/** Permissions alone do not show a full disk. */
async function tryToWrite(folder: string): Promise<void> {
  const file = join(folder, `.gateway-doctor-${process.pid}`);
  try {
    await writeFile(file, Buffer.alloc(64 * 1024), { flush: true });
  } finally {
    await rm(file, { force: true });
  }
}

async function freeSpace(folder: string): Promise<Finding> {
  const { bavail, bsize, blocks } = await statfs(folder);
  const free = bavail * bsize;
  const percent = blocks === 0 ? 0 : Math.floor((100 * bavail) / blocks);
  const message = t('{{free}} MiB ({{percent}} % of the disk) free in {{folder}}', { free: Math.floor(free / mib), percent, folder });
  if (free < needBytes) return fail('free space', message, t('free some space now: without it sends fail'));
  if (free < nearlyFullBytes) return warn('free space', message, t('free some space: media and the request log need room'));
  return ok('free space', message);
}

async function secretKey(folder: string, inEnvironment: boolean): Promise<Finding[]> {
  if (inEnvironment) return [ok('secret key', t('comes from SECRET_KEY'))];
  const file = join(folder, 'secret.key');
  let mode: number;
  try {
    ({ mode } = await stat(file));
  } catch {
    // Its absence matters only with stored credentials, so the database check reports it.
    return [];
  }
  // Windows has no such permission bits.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    return [fail('secret key', t('{{file}} can be read by other users', { file }), `chmod 600 ${file}`)];
  }
  return [ok('secret key', t('{{file}} is not readable by other users; keep a copy of it in your backup', { file }))];
}
