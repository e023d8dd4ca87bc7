import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addInstance, createAccount } from '../../src/accounts/index.ts';
import type { CommandEnvironment } from '../../src/cli/index.ts';
import { newId, OperatorError } from '../../src/core/index.ts';
import type { Leases } from '../../src/store/index.ts';
import { joinInstallation } from '../../src/vault/index.ts';
import { at } from '../support/act.ts';
import { listening } from '../support/listening.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { logRequest, requestRecord } from '../support/request-log.ts';
import { waitFor } from '../support/wait-for.ts';
import { certificates } from './certificates.ts';
import { openTerminal, startOfTests, type Terminal } from './world.ts';

let terminal: Terminal;
let folder: string;
let closing: (() => Promise<void>)[];
beforeEach(async () => {
  terminal = await openTerminal();
  folder = terminal.database.location;
  closing = [];
});
afterEach(async () => {
  for (const close of closing) await close();
  await terminal.dispose();
});

interface Finding {
  check: string;
  state: string;
  message: string;
  mend: string | null;
}

/** What doctor found by check (the last of each), after making sure that the exit code fits and that whatever is wrong can be mended. */
async function doctor(world: Partial<CommandEnvironment> = {}): Promise<Record<string, Finding>> {
  const { exitCode, stdout, stderr } = await terminal.runIn(
    { ...world, env: { PORT: '1', PATH: folder, ...world.env } },
    'doctor',
    '--json',
  );
  expect(stderr).toBe('');
  const { ok, checks }: { ok: boolean; checks: Finding[] } = JSON.parse(stdout);
  const failed = checks.some(({ state }) => state === 'fail');
  expect([ok, exitCode]).toEqual([!failed, failed ? 1 : 0]);
  for (const { state, mend } of checks) expect(mend === null).toBe(state === 'ok');
  return Object.fromEntries(checks.map((finding) => [finding.check, finding]));
}

async function listen(server: Server): Promise<string> {
  const { port, close } = await listening(server);
  closing.push(close);
  return String(port);
}

test('tells every wrong setting, and nothing that would depend on them [doctor.missing]', async () => {
  const { exitCode, stdout } = await terminal.runIn({ env: { PORT: 'x', IDEMPOTENCY: 'maybe' } }, 'doctor');
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^fail {2}settings: PORT .*\n {6}→ .*\nfail {2}settings: IDEMPOTENCY .*\n/m);
  expect(stdout).not.toContain('database');
});

test('a new installation is not a failure, and stays untouched [start.data]', async () => {
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

test('a database that can no longer be read once it is open: what was found before is said too [doctor.missing]', async () => {
  await terminal.store.db.schema.dropTable('pending_writes').execute();
  expect(await doctor()).toMatchObject({
    database: { state: 'fail', message: expect.stringContaining('no such table: pending_writes') },
    connections: { state: 'ok' },
    server: { state: 'warn' },
  });
});

test('a secret key that is not the one of the other servers [doctor.missing]', async () => {
  await joinInstallation(terminal.store, Buffer.from('11'.repeat(32), 'hex'));
  const severalServers = {
    env: { REDIS_URL: 'redis://127.0.0.1:1', DATABASE_URL: 'postgres://127.0.0.1:1/gateway', SECRET_KEY: '22'.repeat(32) },
    openStore: async () => ({ ...(await terminal.database.open()), leases: {} as Leases }),
  };
  expect(await doctor(severalServers)).toMatchObject({
    'secret key': { state: 'fail', message: expect.stringContaining('is not the secret key of the installation') },
    connections: { state: 'ok' },
    server: { state: 'warn' },
  });
});

test('names the schema', async () => {
  expect((await doctor()).database?.message).toMatch(/^embedded, schema 0\d{3}-\S+ \(\d+ migrations applied/);
});

test('a secret key others can read, and one that is missing where it is needed', async () => {
  expect(await doctor()).toMatchObject({ 'secret key': { state: 'ok' } });
  const account = await createAccount(terminal.store, { name: 'a', plan: 'trial' }, at(startOfTests));
  const { id } = await addInstance(
    terminal.store,
    { accountId: account.id, id: newId(), network: 'sandbox', label: null },
    at(startOfTests),
  );
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

test('whether the server answers [doctor.missing]', async () => {
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
  const derFile = join(folder, 'first.der');
  writeFileSync(derFile, new X509Certificate(certificates.first.certificate).raw);
  expect(await problems(derFile, first.keyFile)).toContain('TLS_CERT_FILE cannot be used');
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

test('the programs for media: there, missing, or not what they seem [doctor.surroundings]', async () => {
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  const withTools = async () => {
    const { ffmpeg, ffprobe } = await doctor({ env: { PATH: tools } });
    return [ffmpeg, ffprobe];
  };
  const missing = { state: 'warn', message: expect.stringMatching(/^it is not installed: .+/), mend: expect.stringContaining('apt-get') };
  expect(await withTools()).toMatchObject([missing, missing]);
  const install = (name: string, script: string) => writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  install('ffmpeg', 'echo "ffmpeg version 5.1.6-0+deb12u1 Copyright (c) 2000-2024 the FFmpeg developers"');
  install('ffprobe', 'exit 3');
  expect(await withTools()).toMatchObject([
    { state: 'ok', message: 'version 5.1.6-0+deb12u1' },
    { state: 'warn', message: expect.stringMatching(/^it cannot be run/) },
  ]);
  install('ffprobe', 'echo something else');
  expect(await withTools()).toMatchObject([{ state: 'ok' }, { state: 'warn', message: expect.stringContaining('its version') }]);
});

/** A server in WhatsApp's place that lets nobody through its handshake, but begins it. */
async function whatsappLike(server: Server, upgrade: (socket: Duplex) => void): Promise<string> {
  server.on('upgrade', (_request, socket) => upgrade(socket));
  return listen(server);
}
const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
/** Answers as if it were this time there. */
const answersAt = (ms: number) => createServer((_request, response) => response.writeHead(404, { date: new Date(ms).toUTCString() }).end());

test('numbers without a connection, pending writes, and the mail server', async () => {
  const fine = await doctor();
  expect(fine).toMatchObject({ connections: { state: 'ok' }, 'pending writes': { state: 'ok', message: 'no write is pending' } });
  expect(fine).not.toHaveProperty('mail');

  const { store } = terminal;
  const account = await createAccount(store, { name: 'Bakery', plan: 'business' }, at(terminal.now));
  const { id } = await addInstance(store, { accountId: account.id, id: newId(), network: 'sandbox', label: null }, at(terminal.now));
  const minute = 60_000;
  const lost = {
    id: newId(),
    account_id: account.id,
    instance_id: id,
    event: 'lost',
    detail: null,
    note: null,
    ended_at: null,
    until: null,
    count: 1,
  };
  await store.db.updateTable('instances').set({ linked: 1, phone_number: '4917000000' }).execute();
  const since = terminal.now - 11 * minute;
  await store.db
    .insertInto('number_history')
    .values({ ...lost, at: since, last_at: since, actor_kind: null, actor_id: null, actor_name: null })
    .execute();
  await store.db
    .insertInto('pending_writes')
    .values({ id: 'a write', kind: 'number_day', payload: '{}', created_at: since, attempts: 5, next_at: terminal.now })
    .execute();
  const config = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'gateway@example.com', PUBLIC_URL: 'https://gateway.example.com' };
  const openMail = (trouble: string | null) => () => ({ send: async () => true, verify: async () => trouble });
  const iso = new Date(since).toISOString();
  expect(await doctor({ env: config, openMail: openMail('535 who are you?') })).toMatchObject({
    connections: {
      state: 'warn',
      message: expect.stringContaining(`a linked number has been without a connection for more than 10 minutes, the longest since ${iso}`),
    },
    'pending writes': { state: 'warn', message: `one write is pending, the oldest since ${iso}` },
    mail: { state: 'warn', message: expect.stringContaining('535 who are you?') },
  });
  expect(await doctor({ env: config, openMail: openMail(null) })).toMatchObject({ mail: { state: 'ok' } });

  // One that only a person can bring back is told of elsewhere.
  await store.db.updateTable('instances').set({ linked: 0 }).execute();
  expect(await doctor()).toMatchObject({ connections: { state: 'ok' } });
});

test("the way to WhatsApp's server and its clock [doctor.surroundings]", async () => {
  const at = async (server: Server, upgrade: (socket: Duplex) => void = (socket) => socket.end(switching)) =>
    doctor({ env: { NETWORKS: 'whatsapp', WHATSAPP_URL: `ws://127.0.0.1:${await whatsappLike(server, upgrade)}/ws/chat` } });

  expect(await at(answersAt(startOfTests))).toMatchObject({ whatsapp: { state: 'ok' }, 'whatsapp clock': { state: 'ok' } });
  const behind = (await at(answersAt(startOfTests + 61_000)))['whatsapp clock'];
  expect(behind).toMatchObject({
    state: 'warn',
    message: expect.stringContaining("this machine's clock is 61 s behind that of 127.0.0.1"),
  });
  expect((await at(answersAt(startOfTests - 3_600_000)))['whatsapp clock']?.message).toContain('3600 s ahead of');

  const refusing = await at(answersAt(startOfTests), (socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  expect(refusing.whatsapp).toMatchObject({ state: 'warn', message: expect.stringContaining('status 403 instead of a connection') });
  const cutting = await at(
    createServer((request) => request.socket.destroy()),
    (socket) => socket.destroy(),
  );
  expect(cutting).toMatchObject({ whatsapp: { state: 'warn' } });
  expect(cutting).not.toHaveProperty('whatsapp clock');
});

test('a WhatsApp server that is away or silent is a warning, told in time; without the network it is not asked [doctor.surroundings]', async () => {
  const away = await doctor({ env: { NETWORKS: 'whatsapp,sandbox', WHATSAPP_URL: 'wss://127.0.0.1:1/ws/chat' } });
  expect(away).toMatchObject({ whatsapp: { state: 'warn', message: expect.stringContaining('ECONNREFUSED') } });
  expect(away).not.toHaveProperty('whatsapp clock');

  const clock = createManualClock(startOfTests);
  let asked = 0;
  const silent = createServer(() => ++asked);
  const port = await whatsappLike(silent, () => ++asked);
  const finding = doctor({ clock, env: { NETWORKS: 'whatsapp', WHATSAPP_URL: `ws://127.0.0.1:${port}` } });
  await waitFor(() => expect(asked).toBe(2));
  clock.advance(5000);
  expect(await finding).toMatchObject({ whatsapp: { state: 'warn', message: expect.stringContaining('did not answer within 5 seconds') } });

  expect(await doctor({ env: { WHATSAPP_URL: 'ws://127.0.0.1:1' } })).not.toHaveProperty('whatsapp');
});

test('a WhatsApp server with a certificate of its own is trusted through WHATSAPP_CA_FILE', async () => {
  const { certFile } = certificateFiles('loopback');
  const { certificate, privateKey } = certificates.loopback;
  const server = createTlsServer({ cert: certificate, key: privateKey }, (_request, response) => response.end());
  const url = `wss://127.0.0.1:${await whatsappLike(server, (socket) => socket.end(switching))}/ws/chat`;
  expect(await doctor({ env: { NETWORKS: 'whatsapp', WHATSAPP_URL: url } })).toMatchObject({
    whatsapp: { state: 'warn', message: expect.stringContaining('certificate'), mend: expect.stringContaining('WHATSAPP_CA_FILE') },
  });
  expect(await doctor({ env: { NETWORKS: 'whatsapp', WHATSAPP_URL: url, WHATSAPP_CA_FILE: certFile } })).toMatchObject({
    whatsapp: { state: 'ok' },
  });
});
