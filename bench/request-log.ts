import { search } from '../src/accounts/index.ts';
import { readConfig } from '../src/config/index.ts';
import { listActivity, listSends } from '../src/requests/index.ts';
import { requestRecord } from '../src/store/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { line } from './table.ts';

// How long searches and lists of sends take in the database that the settings name, once bench/portal-fill.ts has filled it.

const everything = { providerIds: null, accountIds: [], ownedAccountIds: [] };
const tries = 20;
const store = await openStore(readConfig(process.env));
try {
  const rows = await store.db.selectFrom('requests').selectAll().orderBy('id').limit(16_000).execute();
  const sample = rows.map(requestRecord).filter(({ code }) => code === null);
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
  const lists = {
    'sends of an account': {},
    'its failures': { outcome: 'failed' as const },
    'its stickers, of which there are none': { messageType: 'sticker' as const },
  };
  const accountOf = (i: number) => sample[i * 50]?.account_id ?? '';
  for (const [what, filter] of Object.entries(lists))
    await measured(what, (i) => listActivity(store, accountOf(i), filter, { cursor: null, limit: 50, now }));
} finally {
  await store.close();
}
