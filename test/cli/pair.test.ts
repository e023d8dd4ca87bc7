import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addInstance, createAccount } from '../../src/accounts/index.ts';
import { PasskeyPairing } from '../../src/cli/passkey-pairing.ts';
import type { Clock } from '../../src/core/index.ts';
import { hashApiKey, newId } from '../../src/core/index.ts';
import { at } from '../support/act.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Outcome, openTerminal, startOfTests, type Terminal } from './world.ts';

/** What the server is to answer: status, body, headers. */
type Scripted = [status: number, body: unknown, headers?: Record<string, string>];

/** A clock whose timers all fire at once, each at its own time. */
function hurriedClock(): Clock & { waited: number[] } {
  let now = startOfTests;
  const waited: number[] = [];
  return {
    waited,
    now: () => now,
    monotonic: () => now,
    after(ms, run) {
      let cancelled = false;
      setImmediate(() => {
        if (cancelled) return;
        now += ms;
        waited.push(ms);
        run();
      });
      return {
        cancel: () => {
          cancelled = true;
        },
      };
    },
  };
}

let clock: ReturnType<typeof hurriedClock>;
let terminal: Terminal;
let instance: string;
let server: Server;
let script: Scripted[];
let asked: { path: string; key: string | undefined; admitted: boolean }[];
beforeEach(async () => {
  clock = hurriedClock();
  terminal = await openTerminal('sqlite', clock);
  const account = await createAccount(terminal.store, { name: 'a', plan: 'trial' }, at(startOfTests));
  instance = (await addInstance(terminal.store, { accountId: account.id, id: newId(), network: 'whatsapp', label: null }, at(startOfTests)))
    .id;
  script = [];
  asked = [];
  server = createServer(async (request, response) => {
    const key = request.headers.apikey?.toString();
    const admission = await terminal.store.hot.admit({ keyHash: hashApiKey(key ?? ''), now: clock.now() });
    asked.push({ path: request.url ?? '', key, admitted: admission?.accountId === account.id });
    const [status, body, headers] = (script.length > 1 ? script.shift() : script[0]) ?? [
      404,
      { error: { code: 'not_found', message: 'No such path.' } },
    ];
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await terminal.dispose();
});

const port = () => String((server.address() as AddressInfo).port);
const pair = (...words: string[]): Promise<Outcome> => terminal.runIn({ env: { PORT: port() } }, 'number', 'pair', instance, ...words);
const data = (fields: object): Scripted => [200, { success: true, data: { instance_id: instance, ...fields }, request_id: newId() }];
const failure = (status: number, code: string, headers: Record<string, string> = {}): Scripted => [
  status,
  { success: false, error: { code, message: 'Told to customers.' }, request_id: newId() },
  headers,
];
const qr = (code: string, pairingCode: string | null = null) => ({ qrcode: { base64: 'data:', code, pairingCode } });
const waiting = { status: 'connecting', connected: false, phone_number: null, rotation_limit: 6, exhausted: false };
const linked = data({
  status: 'open',
  connected: true,
  phone_number: '491700000001',
  qrcode: null,
  rotation_count: null,
  rotation_limit: 6,
  exhausted: false,
});
const liveKeys = async () => (await terminal.store.db.selectFrom('api_keys').select('id').where('revoked_at', 'is', null).execute()).length;
const drawings = (text: string) => text.match(/Scan this/g)?.length ?? 0;

test('draws each new code once and ends when the number is linked [qr-status.poll cli.pair]', async () => {
  script = [
    data({ ...waiting, ...qr('one') }),
    data({ ...waiting, ...qr('one'), rotation_count: 1 }),
    data({ ...waiting, qrcode: null, rotation_count: 1, check_incomplete: true }),
    data({ ...waiting, ...qr('two'), rotation_count: 2 }),
    linked,
  ];
  const { exitCode, stdout, stderr } = await pair();
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(drawings(stdout)).toBe(2);
  expect(stdout).toContain('(code 2 of 6)');
  expect(stdout).not.toContain('\u001b');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('Linked: 491700000001.');
  expect(asked.map(({ path }) => path.replace(instance, 'ID'))).toEqual([
    '/v1/instances/ID/qr',
    ...Array(4).fill('/v1/instances/ID/qr-status'),
    '/v1/instances/ID/status',
  ]);
  expect(clock.waited).toEqual([1000, 1000, 1000, 1000]);
});

test('works with a key of its own, revoked at the end', async () => {
  script = [data({ ...waiting, ...qr('one') }), linked];
  await pair();
  expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
  expect(asked.every(({ admitted }) => admitted)).toBe(true);
  expect(await liveKeys()).toBe(0);
  expect(await terminal.store.db.selectFrom('api_keys').select('expires_at').executeTakeFirst()).toEqual({
    expires_at: startOfTests + 1_200_000,
  });
});

test('with --json stdout holds one object and the codes go to stderr [cli.json]', async () => {
  script = [data({ ...waiting, ...qr('one') }), linked];
  const { exitCode, stdout, stderr } = await pair('--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ instance_id: instance, status: 'open', phone_number: '491700000001' });
  expect(drawings(stderr)).toBe(1);
});

test('on a terminal a new code is drawn over the old one', async () => {
  script = [data({ ...waiting, ...qr('one') }), data({ ...waiting, ...qr('two'), rotation_count: 2 }), linked];
  const { stdout } = await terminal.runIn({ env: { PORT: port() }, isTerminal: true }, 'number', 'pair', instance);
  expect(drawings(stdout)).toBe(2);
  expect(stdout.split('\u001b[J')).toHaveLength(2);
});

test('asks for a pairing code when given the phone number, and shows it', async () => {
  script = [data({ ...waiting, ...qr('one', 'ABCD2345') }), data({ ...waiting, ...qr('two'), rotation_count: 2 }), linked];
  const { stdout } = await pair('--phone-number', '+49 170 0000001');
  expect(asked[0]?.path).toBe(`/v1/instances/${instance}/qr?phone_number=491700000001`);
  expect(stdout.match(/type ABCD2345/g)).toHaveLength(2);
});

test('waits for no pasted answer any more once the number is linked', async () => {
  script = [
    data({ ...waiting, ...qr('one') }),
    data({ ...waiting, qrcode: null, passkey: { stage: 'requested', reason: null } }),
    data({ options: { challenge: 'c' }, confirmation_code: null }),
    linked,
  ];
  const signals: AbortSignal[] = [];
  const nextLine = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<never>(() => undefined);
  };
  const { exitCode } = await terminal.runIn({ env: { PORT: port() }, nextLine }, 'number', 'pair', instance);
  expect([exitCode, signals.map(({ aborted }) => aborted)]).toEqual([0, [true]]);
});

test("confirms the passkey's code only when somebody types yes, whatever was typed or pasted before", async () => {
  const lines = ['{"late":true}', 'yes'];
  const first = Promise.withResolvers<string>();
  let isFirst = true;
  let asksFor: object = { options: { challenge: 'c' }, confirmation_code: null };
  const posted: unknown[] = [];
  const answer = (fields: object) => ({ status: 200, body: { data: fields }, retryAfter: null });
  const passkey = new PasskeyPairing({
    print: () => undefined,
    async nextLine() {
      if (!isFirst) return lines.shift() ?? null;
      isFirst = false;
      return first.promise;
    },
    get: async () => answer(asksFor),
    async post(rest, body) {
      posted.push([rest, body]);
      return answer({});
    },
  });
  await passkey.onProgress({ stage: 'requested' });
  asksFor = { options: null, confirmation_code: '1234-5678' };
  await passkey.onProgress({ stage: 'confirming' });
  first.resolve('');
  await waitFor(() => expect(posted).not.toEqual([]));
  expect([posted, lines]).toEqual([[['/confirm', {}]], []]);
});

test('a number that is connected already is told at once', async () => {
  script = [data({ status: 'open', connected: true, already_connected: true, qrcode: null }), linked];
  expect(await pair()).toEqual({ exitCode: 0, stdout: 'Linked: 491700000001.\n', stderr: '' });
  expect(clock.waited).toEqual([]);
});

test('waits as told while no code is ready, the limit is reached or the network is away', async () => {
  script = [
    failure(503, 'qr_unavailable', { 'retry-after': '3' }),
    data({ status: 'close', connected: false, restriction: { reason: 'reach_out_blocked', until: null } }),
    failure(429, 'rate_limit_exceeded', { 'retry-after': '17' }),
    data({ ...waiting, ...qr('one') }),
    failure(502, 'upstream_unavailable'),
    linked,
  ];
  expect((await pair()).exitCode).toBe(0);
  expect(clock.waited).toEqual([3000, 17_000, 1000, 3000]);
});

test('tells what the network does not let the linked number do [cli.pair-trouble]', async () => {
  const restriction = { reason: 'reach_out_blocked', until: '2026-06-16T12:00:00.000Z' };
  script = [data({ ...waiting, ...qr('one') }), linked, data({ status: 'open', connected: true, restriction })];
  expect((await pair()).stdout.trimEnd().split('\n').slice(-2)).toEqual([
    'Linked: 491700000001.',
    'But the network does not let this number start new chats (until 2026-06-16T12:00:00.000Z).',
  ]);
  script = [data({ ...waiting, ...qr('one') }), linked, data({ status: 'open', connected: true, restriction })];
  expect(JSON.parse((await pair('--json')).stdout)).toEqual({
    instance_id: instance,
    status: 'open',
    phone_number: '491700000001',
    restriction,
  });
});

test('begins again when the attempt breaks off, and forgets the pairing code of the one before [cli.pair-trouble]', async () => {
  script = [
    data({ ...waiting, ...qr('one', 'ABCD2345') }),
    data({ ...waiting, status: 'close', qrcode: null, rotation_count: null }),
    data({ ...waiting, ...qr('two', 'EFGH2345') }),
    data({ ...waiting, ...qr('two', 'EFGH2345'), rotation_count: 1 }),
    linked,
  ];
  const { exitCode, stdout } = await pair('--phone-number', '491700000001');
  expect(exitCode).toBe(0);
  expect(drawings(stdout)).toBe(2);
  expect(stdout.match(/type \w+/g)).toEqual(['type ABCD2345', 'type EFGH2345']);
});

test.each<[string, Scripted[], string]>([
  [
    'the passkey is not taken',
    [
      data({ ...waiting, ...qr('one') }),
      data({ ...waiting, status: 'close', qrcode: null, exhausted: true, passkey: { stage: 'failed', reason: 'WhatsApp said no.' } }),
    ],
    'linking with the passkey failed: WhatsApp said no. Run the command again.',
  ],
  [
    'the version is refused',
    [
      failure(503, 'qr_unavailable', { 'retry-after': '3' }),
      data({ status: 'close', connected: false, restriction: { reason: 'version_refused', until: null } }),
    ],
    'there is no code to scan: the network refuses this version of the gateway; install a newer one',
  ],
  [
    'banned for a while',
    [
      failure(503, 'qr_unavailable', { 'retry-after': '3' }),
      data({ status: 'connecting', connected: false, restriction: { reason: 'temporarily_banned', until: '2026-06-16T12:00:00.000Z' } }),
    ],
    'there is no code to scan: the network has banned this number for a while; it reconnects automatically (until 2026-06-16T12:00:00.000Z)',
  ],
  [
    'exhausted',
    [data({ ...waiting, ...qr('one') }), data({ ...waiting, qrcode: null, exhausted: true })],
    'all codes of this attempt ran out without a scan; run the command again',
  ],
  [
    'connected elsewhere',
    [data({ ...waiting, ...qr('one') }), failure(409, 'number_already_connected')],
    'this phone number is already linked to the account under another ID; that link keeps working',
  ],
  ['suspended', [failure(403, 'account_suspended')], 'the server refused: Told to customers. (account_suspended)'],
  ['internal error', [failure(500, 'internal_error')], 'the server refused: Told to customers. (internal_error)'],
  ['never scanned', [data({ ...waiting, ...qr('one') })], 'nobody scanned the code in time; run the command again'],
])('%s: one line and exit code 1 [cli.pair cli.pair-trouble]', async (_what, answers, line) => {
  script = answers;
  const { exitCode, stdout, stderr } = await pair('--json');
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(`gateway: ${line}`);
  expect(await liveKeys()).toBe(0);
});

test.each<[string, Scripted, RegExp]>([
  ['another program', [200, '<html>'], /is not this gateway; check HOST and PORT$/],
  ['another program refusing', [403, 'no'], /is not this gateway; check HOST and PORT$/],
  ['a server over another database', failure(401, 'invalid_api_key'), /uses a different database from this command/],
])('%s is recognised', async (_what, answer, line) => {
  script = [answer];
  const { exitCode, stderr } = await pair();
  expect(exitCode).toBe(1);
  expect(stderr.trimEnd()).toMatch(line);
});

test('without a server one line says how to start it', async () => {
  const closed = port();
  await new Promise((resolve) => server.close(resolve));
  expect(await terminal.runIn({ env: { PORT: closed, HOST: '0.0.0.0' } }, 'number', 'pair', instance)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `gateway: no server answers at http://127.0.0.1:${closed}; start it with gateway serve (HOST and PORT must be the same for both)\n`,
  });
  expect(await liveKeys()).toBe(0);
  expect((await terminal.runIn({ env: { PORT: '0' } }, 'number', 'pair', instance)).stderr).toMatch(/^gateway: PORT is 0/);
  expect(await liveKeys()).toBe(0);
});
