import { statfs } from 'node:fs/promises';
import { chooseVersion, nothingKnown, versionTrouble } from '../../networks/index.ts';
import { sumOfPendingWrites } from '../../outbox/index.ts';
import { createClientVersions, type Store } from '../../store/index.ts';
import type { Watch } from './watch.ts';

const mib = 1024 * 1024;
/** Less is nearly full, also for `gateway doctor`. */
const nearlyFullBytes = 1024 * mib;
const roomAgainBytes = 1.25 * nearlyFullBytes;
const pendingForMs = 5 * 60_000;

/** Little room is left where the server keeps its files. */
export function diskWatch(folder: string, freeBytes: (folder: string) => Promise<number> = freeIn): Watch {
  return {
    condition: 'disk_nearly_full',
    of: 'server',
    async look(_now, lasting) {
      const free = await freeBytes(folder);
      if (free >= (lasting ? roomAgainBytes : nearlyFullBytes)) return null;
      return `${Math.floor(free / mib).toLocaleString('en')} MiB are free in ${folder}`;
    },
  };
}

/** Writes fail: the oldest pending one has been retried for five minutes. */
export function pendingWritesWatch(db: Store['db']): Watch {
  return {
    condition: 'writes_failing',
    of: 'installation',
    async look(now) {
      const { oldestAt } = await sumOfPendingWrites(db);
      if (oldestAt === null || now - oldestAt < pendingForMs) return null;
      return `some have been pending since ${new Date(oldestAt).toISOString()}`;
    },
  };
}

/** The version that numbers connect to WhatsApp with is old, or WhatsApp has told its end. `override`: the version that the settings fix. */
export function clientVersionWatch(db: Store['db'], override: number | null): Watch {
  const versions = createClientVersions(db, 'whatsapp');
  return {
    condition: 'client_version_ending',
    of: 'installation',
    async look(now) {
      const record = await versions.read();
      if (record === null && override === null) return null;
      return versionTrouble(chooseVersion(record ?? nothingKnown, override), now);
    },
  };
}

async function freeIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
