import type { Kysely } from 'kysely';
import { type AgeTime, type Clock, LastingTime } from '../core/index.ts';
import { readMeta, writeMeta } from './meta.ts';
import type { Database } from './schema.ts';
import type { Store } from './store.ts';

const timeName = 'lasting_time';

/** The time (epoch milliseconds) by which all servers judge what several of them see: the store's own, or this machine's where it has none. */
export async function sharedNow({ now }: Pick<Store, 'now'>, clock: Pick<Clock, 'now'>): Promise<number> {
  return now === null ? clock.now() : now();
}

/** The time by which ages are judged: the store's own, or where it has none that of an earlier process, continued. */
export async function openAgeTime({ db, now }: Pick<Store, 'db' | 'now'>, clock: Clock): Promise<AgeTime> {
  const time = now === null ? await keptTime(db, clock) : storeTime(clock, now);
  await time.look();
  return time;
}

async function keptTime(db: Kysely<Database>, clock: Clock): Promise<AgeTime> {
  const kept = await readMeta(db, timeName);
  return new KeptTime(db, clock, kept === null ? null : Number(kept));
}

/** The next process continues from it. */
class KeptTime extends LastingTime {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>, clock: Clock, last: number | null) {
    super(clock, last);
    this.#db = db;
  }

  override async look(): Promise<void> {
    await writeMeta(this.#db, timeName, String(this.now()));
  }
}

/** The store's own time as it was at the last look, continued by the stopwatch. */
function storeTime(clock: Clock, storeNow: () => Promise<number>): AgeTime {
  let offset = 0;
  const now = () => Math.round(offset + clock.monotonic());
  return {
    now,
    earliest: now,
    latest: now,
    inDoubt: false,
    async look() {
      const asked = await storeNow();
      // An answer that took long makes it early, never late: nothing is deleted before its time.
      offset = asked - clock.monotonic();
    },
  };
}
