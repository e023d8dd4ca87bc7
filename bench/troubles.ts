import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../src/config/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { createSenders, linkNumbers } from '../test/faults/customers.ts';
import { createLoadClient, type LoadClient } from '../test/faults/load-client.ts';
import { withSmallDisk } from '../test/faults/mount.ts';
import { type ServerProcess, startServer } from '../test/faults/server-process.ts';
import { smallDiskOf } from '../test/faults/small-disk.ts';
import { ensureComponent } from '../test/support/components.ts';
import { line, median } from './table.ts';

// What callers of the embedded server see while another process writes to its database, its disk is full, or its clock jumps:
// `npm run build && node bench/troubles.ts`. 50 sends and 50 looks at /health begin each second, whether or not earlier ones were answered.

const everyMs = 20;
const calmMs = 10_000;
const troubleMs = 8_000;

/** What answered how, and after how many milliseconds. */
interface Seen {
  readonly outcomes: Map<string, number>;
  readonly latencies: number[];
}

interface Installation {
  readonly server: ServerProcess;
  readonly client: LoadClient;
  /** Where its data are, as this process sees it. */
  readonly folder: string;
  readonly send: { readonly key: string; readonly body: object };
}

line('trouble', 'asked', 'answers', 'p50 ms', 'longest ms');
line('---', '---', '---', '--:', '--:');
await withServer({}, async (installation) => {
  await watch(installation, 'none', () => setTimeout(calmMs));
  await watch(installation, 'another process writes for 8 s', async () => {
    const writer = anotherWriter(installation.folder);
    await once(writer, 'spawn');
    await setTimeout(troubleMs);
    writer.stdin?.end();
    await once(writer, 'close');
    await setTimeout(1000);
  });
});
const at = mkdtempSync(join(tmpdir(), 'gateway-troubles-'));
try {
  await withServer({ at }, async (installation) => {
    const disk = smallDiskOf(installation.server, at);
    disk.fill(0);
    // The first write that fails tells of it.
    await setTimeout(1000);
    await watch(installation, 'the disk is full', () => setTimeout(troubleMs));
    disk.free();
    await setTimeout(1000);
    await watch(installation, 'a second after there is space', () => setTimeout(calmMs));
  });
} finally {
  rmSync(at, { recursive: true, force: true });
}
const offset = join(mkdtempSync(join(tmpdir(), 'gateway-clock-')), 'offset');
const hoursOf = { '+0': 0, '+1h': 1, '-1h': -1 } as const;
const jump = (by: keyof typeof hoursOf) => writeFileSync(offset, `${by}\n`);
jump('+0');
await withServer({ env: fakedTime(offset) }, async (installation) => {
  for (const [by, words] of [
    ['+1h', 'the clock jumps an hour ahead'],
    ['+0', 'and back'],
    ['-1h', 'an hour back'],
    ['+0', 'and ahead again'],
  ] as const) {
    await watch(installation, words, async () => {
      await setTimeout(1000);
      jump(by);
      await setTimeout(troubleMs);
      await mustSee(installation.client, hoursOf[by]);
    });
  }
});
rmSync(join(offset, '..'), { recursive: true, force: true });

/** Runs a server with one linked sandbox number; with `at`, on a disk of 96 MB there. */
async function withServer(
  { at: smallDisk, env = {} }: { readonly at?: string; readonly env?: Readonly<Record<string, string>> },
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-data-'));
  try {
    const store = await openStore(readConfig({ DATA_DIR: folder }), { create: true });
    await store.migrate();
    const accounts = await createSenders(store, 1, { trials: [] });
    await store.close();
    const command = smallDisk === undefined ? [] : withSmallDisk(folder, smallDisk, 96 * 1024 * 1024);
    const server = startServer({ ...env, DATA_DIR: smallDisk ?? folder, LOG_LEVEL: 'error', MALLOC_ARENA_MAX: '1' }, { command });
    // As many as may wait at once.
    const client = createLoadClient(await server.ready, 1000);
    const [sender] = await linkNumbers(client, accounts);
    if (sender === undefined) throw new Error('no number was linked');
    const body = { instance_id: sender.instanceId, to: '491701234567', text: 'Hello' };
    const installation = { server, client, folder, send: { key: sender.key, body } };
    // What is compiled with the first requests is not meant.
    await asking(installation, () => setTimeout(calmMs));
    await work(installation);
    if (smallDisk === undefined) await server.terminate();
    else process.kill(smallDiskOf(server, smallDisk).serverPid, 'SIGTERM');
    await server.ended;
    await client.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function watch(installation: Installation, trouble: string, work: () => Promise<unknown>): Promise<void> {
  for (const [asked, { outcomes, latencies }] of await asking(installation, work)) {
    const answers = [...outcomes].map(([outcome, count]) => `${count} × ${outcome}`).join(', ');
    line(trouble, asked, answers, median(latencies).toFixed(1), Math.max(...latencies).toFixed(0));
  }
}

/** Sends and looks at health while the work is done, and waits for every answer. */
async function asking({ client, send }: Installation, work: () => Promise<unknown>): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  const under: Promise<void>[] = [];
  const ask = async (what: string, request: Parameters<LoadClient['call']>[0]) => {
    const begun = performance.now();
    const { status, body } = await client.call(request);
    const { outcomes, latencies } = seen.get(what) ?? { outcomes: new Map<string, number>(), latencies: [] };
    seen.set(what, { outcomes, latencies });
    latencies.push(performance.now() - begun);
    const outcome = [status, body?.error?.code, body?.error?.details?.reason].filter((word) => word !== undefined).join(' ');
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  };
  const timer = setInterval(() => {
    under.push(ask('a send', { path: '/v1/messages/text', ...send }), ask('/health', { method: 'GET', path: '/health' }));
  }, everyMs);
  await work();
  clearInterval(timer);
  await Promise.all(under);
  return seen;
}

function anotherWriter(folder: string): ChildProcess {
  const file = join(import.meta.dirname, '../test/faults/hold-database.ts');
  return spawn(process.execPath, [file, folder], { stdio: ['pipe', 'ignore', 'inherit'] });
}

/** Throws unless the server's clock is so many hours ahead of this process's: a request's id begins with its time (RFC 9562 §5.7). */
async function mustSee(client: LoadClient, hours: number): Promise<void> {
  const { body } = await client.call({ method: 'GET', path: '/v1/no-such-path' });
  const ahead = Number.parseInt(body.request_id.replace('-', '').slice(0, 12), 16) - Date.now();
  if (Math.abs(ahead - hours * 3_600_000) > 60_000) throw new Error(`the clock of the server is ${ahead} ms ahead`);
}

/** Has a process read its calendar with what the file says added (libfaketime); its stopwatch goes on as it is. */
function fakedTime(file: string): Readonly<Record<string, string>> {
  ensureComponent('faketime');
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (library === undefined) throw new Error('there is no libfaketimeMT.so.1, though faketime is installed');
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}
