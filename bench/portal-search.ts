import { listSends, search } from '../src/accounts/index.ts';
import { readConfig } from '../src/config/index.ts';
import { openStore } from '../src/open-store.ts';
import { readSegment } from '../src/store/index.ts';
import { noteNextRun } from '../src/store/request-names/note.ts';
import { notedTo } from '../src/store/request-names/position.ts';
import { line } from './table.ts';

// How long searches take in the database that the settings name, once bench/portal-fill.ts has filled it: first notes what is in its log, and tells
// the CPU time of that. No server may use the database meanwhile.

const everything = { providerIds: null, accountIds: [], ownedAccountIds: [] };
const tries = 20;
const store = await openStore(readConfig(process.env));
try {
  const before = process.cpuUsage();
  const begun = performance.now();
  // Late enough that whatever is in the log has settled.
  const later = Date.now() + 60 * 60 * 1000;
  let runs = 0;
  for (let from = -1; from !== (await notedTo(store.db)); ) {
    from = await notedTo(store.db);
    while (await noteNextRun(store, later, runs)) {
      if (++runs % 50 === 0) process.stderr.write(`\r${((performance.now() - begun) / 1000).toFixed(0)} s: ${runs} runs noted     `);
    }
  }
  const { user, system } = process.cpuUsage(before);
  process.stderr.write(
    `\r${runs} full runs noted, ${((user + system) / 1000 / Math.max(1, runs * 4.096)).toFixed(2)} ms of CPU per 1,000 requests\n`,
  );

  const segments = await store.db.selectFrom('request_log').select(['id', 'records']).orderBy('id').limit(2000).execute();
  const sample = segments.flatMap(({ records }) => readSegment(records)).filter(({ code }) => code === null);
  const numbers = await store.db.selectFrom('instances').select(['id', 'label', 'phone_number']).limit(500).execute();
  const texts: Record<string, (string | null | undefined)[]> = {
    'a request id': sample.map(({ request_id }) => request_id),
    'a message id': sample.map(({ message_id }) => message_id),
    'a recipient': sample.map(({ recipient }) => recipient),
    "a number's digits": numbers.map(({ phone_number }) => phone_number),
    "a number's id": numbers.map(({ id }) => id),
    'a label': numbers.map(({ label }) => label),
    'a word nobody has': ['zzzzqqqq'],
    'a recipient nobody has': ['999999999999'],
  };
  line('looked for', 'median', '95 %', 'longest');
  line('---', '---', '---', '---');
  async function measured(what: string, run: (i: number) => Promise<unknown>): Promise<void> {
    const times: number[] = [];
    for (let i = 0; i < tries; i++) {
      const start = performance.now();
      await run(i);
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    const at = (part: number) => `${(times[Math.floor(part * (times.length - 1))] ?? 0).toFixed(1)} ms`;
    line(what, at(0.5), at(0.95), at(1));
  }
  const now = Date.now();
  for (const [what, known] of Object.entries(texts)) {
    const those = known.filter((text) => text != null);
    await measured(what, (i) => search(store, everything, those[Math.floor((i * those.length) / tries)] ?? '', now));
  }
  const filters = {
    'request list --failed': { outcome: 'failed' as const },
    'request list --to': { recipient: sample[7]?.recipient ?? '' },
  };
  for (const [what, filter] of Object.entries(filters)) await measured(what, () => listSends(store, null, filter, { limit: 50, now }));
} finally {
  await store.close();
}
