import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addInstance, createAccount } from '../../src/accounts/index.ts';
import type { World } from '../../src/cli/index.ts';
import { newId, OperatorError } from '../../src/core/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { logRequest, requestRecord } from '../support/request-log.ts';
import { certificates } from './certificates.ts';
import { openTerminal, startOfTests, type Terminal } from './world.ts';

let terminal: Terminal;
let folder: string;
let closing: (() => void)[];
beforeEach(async () => {
  terminal = await openTerminal();
  folder = terminal.database.location;
  closing = [];
});
afterEach(async () => {
  for (const close of closing) close();
  await terminal.dispose();
});

interface Finding {
  check: string;
  state: string;
  message: string;
  mend: string | null;
}

/** What doctor found by check (the last of each), after making sure that the exit code fits and that whatever is wrong can be mended. */
async function doctor(world: Partial<World> = {}): Promise<Record<string, Finding>> {
  const { exitCode, stdout, stderr } = await terminal.runIn({ ...world, env: { PORT: '1', ...world.env } }, 'doctor', '--json');
  expect(stderr).toBe('');
  const { ok, checks }: { ok: boolean; checks: Finding[] } = JSON.parse(stdout);
  const failed = checks.some(({ state }) => state === 'fail');
  expect([ok, exitCode]).toEqual([!failed, failed ? 1 : 0]);
  for (const { state, mend } of checks) expect(mend === null).toBe(state === 'ok');
  return Object.fromEntries(checks.map((finding) => [finding.check, finding]));
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return String((server.address() as AddressInfo).port);
}

test('tells every wrong setting, and nothing that would depend on them', async () => {
  const { exitCode, stdout } = await terminal.runIn({ env: { PORT: 'x', IDEMPOTENCY: 'maybe' } }, 'doctor');
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^fail {2}settings: PORT .*\n {6}→ .*\nfail {2}settings: IDEMPOTENCY .*\n/m);
  expect(stdout).not.toContain('database');
});

test('a new installation is not a failure, and stays untouched', async () => {
  const fresh = join(folder, 'fresh');
  const opened = () => Promise.reject(new Error('must not be opened'));
  expect(await doctor({ env: { DATA_DIR: fresh }, openStore: opened })).toMatchObject({
    'data folder': { state: 'warn' },
    database: { state: 'warn' },
  });
  mkdirSync(fresh);
  expect(await doctor({ env: { DATA_DIR: fresh }, openStore: opened })).toMatchObject({
    'data folder': { state: 'ok' },
    database: { state: 'warn' },
  });
});

test('a data folder that is a file', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(await doctor({ env: { DATA_DIR: file } })).toMatchObject({ 'data folder': { state: 'fail' } });
});

test('a database that cannot be opened', async () => {
  const openStore = () => Promise.reject(new OperatorError('made by a newer version'));
  expect(await doctor({ openStore })).toMatchObject({ database: { state: 'fail', message: 'cannot be opened: made by a newer version' } });
  const clock = createManualClock(startOfTests);
  const silent = () => {
    queueMicrotask(() => clock.advance(15_000));
    return new Promise<never>(() => undefined);
  };
  expect(await doctor({ openStore: silent, clock })).toMatchObject({
    database: { state: 'fail', message: 'cannot be opened: it did not answer within 15 seconds' },
  });
});

test('names the schema', async () => {
  expect((await doctor()).database?.message).toMatch(/^embedded, schema 0\d{3}-\S+ \(\d+ migrations applied/);
});

test('a secret key others can read, and one that is missing where it is needed', async () => {
  expect(await doctor()).toMatchObject({ 'secret key': { state: 'ok' } });
  const account = await createAccount(terminal.store, { name: 'a', plan: 'trial' }, startOfTests);
  const { id } = await addInstance(terminal.store, {
    accountId: account.id,
    id: newId(),
    network: 'sandbox',
    label: null,
    now: startOfTests,
  });
  await terminal.store.db
    .insertInto('credentials')
    .values({ instance_id: id, name: 'x', sealed: Buffer.of(1) })
    .execute();
  expect(await doctor()).toMatchObject({ 'secret key': { state: 'fail' } });
  expect(await doctor({ env: { SECRET_KEY: 'ab'.repeat(32) } })).toMatchObject({ 'secret key': { state: 'ok' } });
  const file = join(folder, 'secret.key');
  writeFileSync(file, '', { mode: 0o600 });
  expect(await doctor()).toMatchObject({ 'secret key': { state: 'ok' } });
  chmodSync(file, 0o644);
  expect(await doctor()).toMatchObject({ 'secret key': { state: 'fail', mend: `chmod 600 ${file}` } });
});

test('a clock that is behind', async () => {
  expect(await doctor({ clock: createManualClock(0) })).toMatchObject({ clock: { state: 'fail' } });
  await logRequest(terminal.store, requestRecord({ request_id: newId(), at: startOfTests + 60_000 }));
  expect(await doctor()).toMatchObject({ clock: { state: 'warn' } });
});

test('whether the server answers', async () => {
  expect(await doctor()).toMatchObject({ server: { state: 'warn', mend: 'start it with gateway serve' } });
  const paths: (string | undefined)[] = [];
  const gateway = await listen(createServer((request, response) => response.end(paths.push(request.url) ? '{}' : '')));
  expect(await doctor({ env: { PORT: gateway } })).toMatchObject({
    server: { state: 'ok', message: `answers at http://127.0.0.1:${gateway}` },
  });
  expect(paths).toEqual(['/health']);
  const other = await listen(createServer((_request, response) => response.writeHead(404).end()));
  expect(await doctor({ env: { PORT: other } })).toMatchObject({ server: { state: 'fail' } });
  expect(await doctor({ env: { PORT: '0' } })).toMatchObject({ server: { state: 'warn' } });
});

/** Files of one of the certificates, which are for a name that is not this machine's address. */
function certificateFiles(name: keyof typeof certificates) {
  const certFile = join(folder, `${name}.crt`);
  const keyFile = join(folder, `${name}.pem`);
  writeFileSync(certFile, certificates[name].certificate);
  writeFileSync(keyFile, certificates[name].privateKey);
  return { certFile, keyFile };
}

test('TLS files: readable, a pair, and not about to expire', async () => {
  const first = certificateFiles('first');
  const second = certificateFiles('second');
  const at = (day: string) => createManualClock(Date.parse(day));
  const tls = (certFile: string, keyFile: string, clock = at('2026-06-15')) =>
    doctor({ clock, env: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } });
  const own = [first.certFile, first.keyFile] as const;
  expect((await doctor()).tls?.message).toContain('off');
  expect(await tls(...own)).toMatchObject({ tls: { state: 'ok' } });
  expect(await tls(...own, at('2119-12-20'))).toMatchObject({ tls: { state: 'warn' } });
  expect(await tls(...own, at('2120-01-01'))).toMatchObject({ tls: { state: 'fail', message: expect.stringContaining('expired') } });
  expect(await tls(...own, at('2019-12-31'))).toMatchObject({ tls: { state: 'fail', message: expect.stringContaining('only from') } });
  const problems = async (certFile: string, keyFile: string) => {
    const { stdout } = await terminal.runIn(
      { clock: at('2026-06-15'), env: { PORT: '1', TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } },
      'doctor',
    );
    return stdout.match(/^fail {2}tls: .*$/gm)?.join('\n');
  };
  expect(await problems(first.certFile, second.keyFile)).toBe('fail  tls: TLS_KEY_FILE does not belong to TLS_CERT_FILE');
  expect(await problems(join(folder, 'none'), first.keyFile)).toContain('TLS_CERT_FILE cannot be used');
  expect(await problems(first.certFile, join(folder, 'none'))).toContain('TLS_KEY_FILE cannot be used');
  expect(await problems(first.keyFile, first.keyFile)).toContain('TLS_CERT_FILE cannot be used');
});

test('a server with its own certificate is trusted by that certificate, not by its name', async () => {
  const { certFile, keyFile } = certificateFiles('first');
  const port = await listen(
    createTlsServer({ cert: certificates.first.certificate, key: certificates.first.privateKey }, (_request, response) =>
      response.end('{}'),
    ),
  );
  const clock = createManualClock(startOfTests);
  expect(await doctor({ clock, env: { PORT: port, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } })).toMatchObject({
    server: { state: 'ok', message: `answers at https://127.0.0.1:${port}` },
  });
  const other = certificateFiles('second');
  expect(await doctor({ clock, env: { PORT: port, TLS_CERT_FILE: other.certFile, TLS_KEY_FILE: other.keyFile } })).toMatchObject({
    server: { state: 'fail' },
  });
});
