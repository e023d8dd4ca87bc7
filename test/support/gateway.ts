import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pino, { type Logger } from 'pino';
import { Agent, fetch } from 'undici';
import { inject } from 'vitest';
import { createAccount, createKey, createPlan, type NewPlan } from '../../src/accounts/index.ts';
import type { Overrides } from '../../src/app/overrides.ts';
import { type App, startApp } from '../../src/app/start.ts';
import { type Config, readConfig } from '../../src/config/index.ts';
import type { Clock } from '../../src/core/index.ts';
import { systemClock } from '../../src/core/index.ts';
import type { Session, Status } from '../../src/sessions/index.ts';
import type { Store } from '../../src/store/index.ts';
import { at } from './act.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { followClock } from './database-clock.ts';
import { cheapPasswords } from './passwords.ts';
import { anyStore, nodesOfGateway } from './run-options.ts';
import { createTestDatabase, type StoreKind } from './stores.ts';
import { ToldSecrets } from './told-secrets.ts';

/** An answer of the gateway with its body parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape they are about to assert
  readonly body: any;
}

export interface CallOptions {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A running gateway, spoken to over HTTP as a customer would. */
export interface TestGateway {
  readonly app: App;
  /** Every server of it, `app` first. */
  readonly apps: readonly App[];
  readonly address: string;
  readonly logged: () => string;
  /** What must not be in the log when the gateway stops; the keys and messages of its customers are here already. */
  readonly secrets: ToldSecrets;
  readonly clock: Clock;
  /** Where it keeps its files. */
  readonly dataDir: string;
  /** The settings by which the command line finds its store. */
  readonly settings: Readonly<Record<string, string>>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** The session of an instance, on whichever server. */
  session(accountId: string, instanceId: string): Session | undefined;
  /** The name of a new plan; generous where `terms` say nothing. */
  plan(terms?: Partial<NewPlan>): Promise<string>;
  /** A new account with a key; without `plan` it has the plan `scale`. */
  customer(account?: Partial<Parameters<typeof createAccount>[1]>): Promise<Customer>;
  /** A customer that exists in the data already. */
  existing(of: Pick<Customer, 'accountId' | 'key'>): Customer;
  /** Stops the gateway and starts it again on the same data, with other settings if given; `whileDown` may change the store in between. */
  restart(change?: { env?: Record<string, string>; whileDown?: (store: Store) => Promise<unknown> }): Promise<void>;
  stop(): Promise<void>;
}

/** An account's view of the gateway. */
export interface Customer {
  readonly accountId: string;
  readonly key: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** A new instance, linked to this phone number in the sandbox and connected; its id. */
  linked(phoneNumber?: string): Promise<string>;
  /** Resolves when the instance has this status, without asking over HTTP (which would cost requests). */
  reaches(instanceId: string, status: Status): Promise<void>;
  /** POST /v1/messages/{type}. */
  send(type: string, body: object, headers?: Record<string, string>): Promise<Answer>;
  /** What a sandbox contact received. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape they are about to assert
  received(to: string): Promise<any[]>;
}

/** Limits of connections for a machine that is busy: a browser or client that starves longer than the usual ones must not be taken for one that hangs. */
const patientLimits = { headMs: 60_000, stallMs: 60_000, idleMs: 60_000, requestMs: 120_000 };

/**
 * Starts a gateway on a fresh database of this kind, listening on a free port. `stop` fails when its log tells a customer's key or what was sent;
 * `logged` gives that log when the overrides bring another one. With `copyOf`, an embedded database and everything else in that data folder is
 * where it begins. Passwords cost nothing to check, unless the overrides say `passwords: undefined`.
 */
export async function startGateway(
  kind: StoreKind = anyStore,
  options: {
    env?: Record<string, string>;
    overrides?: Overrides;
    logged?: () => string;
    copyOf?: string;
    /** The URL under which the gateway is to reach its PostgreSQL database. */
    databaseUrl?: (url: string) => string;
  } = {},
): Promise<TestGateway> {
  const database = await createTestDatabase(kind);
  if (options.copyOf !== undefined) cpSync(options.copyOf, database.location, { recursive: true });
  const dataDir = kind === 'sqlite' ? database.location : mkdtempSync(join(tmpdir(), 'gateway-data-'));
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    DATABASE_DURABILITY: 'normal',
    NETWORKS: 'sandbox',
    LOG_LEVEL: 'info',
    ...(kind === 'postgres' ? { DATABASE_URL: options.databaseUrl?.(database.location) ?? database.location } : {}),
    ...options.env,
  };
  // PostgreSQL judges by its own clock what servers share: where tests have another time, it has that too.
  if (kind === 'postgres' && options.overrides?.clock !== undefined) await followClock(await database.open(), options.overrides.clock);
  let config = readConfig(env);
  let logged = '';
  let plans = 0;
  const secrets = new ToldSecrets();
  const log: Logger = pino(
    { level: config.logLevel },
    {
      write(line: string) {
        logged += line;
      },
    },
  );
  const clock: Clock = options.overrides?.clock ?? systemClock;
  const count = kind === 'postgres' ? nodesOfGateway : 1;
  const start = () => startNodes(config, count, { log, passwords: cheapPasswords, connectionLimits: patientLimits, ...options.overrides });
  let apps = await start();
  let asked = 0;
  /** Several servers take turns with each connection. */
  const next = () => apps[asked++ % apps.length] ?? apps[0];
  const balancer: Balancer | null = count === 1 ? null : await startBalancer(() => Number(new URL(next().address).port));
  const address = () => (balancer === null ? apps[0].address : `${new URL(apps[0].address).protocol}//${balancer.host}`);
  // Of several servers another one is asked with each request: no connection is used twice.
  const connections = new Agent(count === 1 ? {} : { pipelining: 0 });

  const call: TestGateway['call'] = async (method, path, { key, body, headers = {} } = {}) => {
    const response = await fetch(address() + path, {
      method,
      dispatcher: connections,
      headers: {
        ...(key === undefined ? {} : { apikey: key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
  };

  return {
    get app() {
      return apps[0];
    },
    get apps() {
      return apps;
    },
    get address() {
      return address();
    },
    logged: () => logged,
    secrets,
    clock,
    dataDir,
    settings: env,
    call,
    session: (accountId, instanceId) => sessionOn(apps, accountId, instanceId),
    async plan(terms = {}) {
      const { name } = await createPlan(
        apps[0].store,
        { name: `plan ${++plans}`, messagesPerMinute: 100_000, instanceLimit: 100, ...terms },
        at(clock.now()),
      );
      return name;
    },
    async customer(account = {}) {
      const { id } = await createAccount(apps[0].store, { name: 'customer', plan: 'scale', ...account }, at(clock.now()));
      const { key } = await createKey(apps[0].store, id, { label: null }, at(clock.now()));
      secrets.addKey(key);
      return customerOf({ call, secrets, apps: () => apps }, id, key);
    },
    existing: ({ accountId, key }) => customerOf({ call, secrets, apps: () => apps }, accountId, key),
    async restart(change = {}) {
      await stopNodes(apps);
      const store = change.whileDown === undefined ? null : await database.open();
      if (store !== null) await change.whileDown?.(store).finally(() => store.close());
      config = readConfig({ ...env, ...change.env });
      apps = await start();
    },
    async stop() {
      // A stop waits a moment for clients that are connected.
      if (!connections.destroyed) void connections.close();
      await stopNodes(apps);
      await balancer?.close();
      await database.dispose();
      rmSync(dataDir, { recursive: true, force: true });
      secrets.check(options.logged?.() ?? logged);
    },
  };
}

/** The servers of a gateway: one, or several that share everything but their folders. */
async function startNodes(config: Config, count: number, overrides: Overrides): Promise<[App, ...App[]]> {
  if (count === 1) return [await startApp(config, overrides)];
  const { clock } = overrides;
  const shared: Config = { ...config, redisUrl: inject('redis'), secretKey: config.secretKey ?? Buffer.alloc(32, 7) };
  const time = clock === undefined ? {} : { redisTime: () => clock.monotonic() };
  const start = (place: number) => startApp({ ...shared, dataDir: join(config.dataDir, `node ${place}`) }, { ...overrides, ...time });
  const first = await start(0);
  return [first, ...(await Promise.all(Array.from({ length: count - 1 }, (_, place) => start(place + 1))))];
}

function sessionOn(apps: readonly App[], accountId: string, instanceId: string): Session | undefined {
  return apps.flatMap(({ sessions }) => sessions.find(accountId, instanceId) ?? [])[0];
}

async function stopNodes(apps: readonly App[]): Promise<void> {
  await Promise.all(apps.map((app) => app.stop()));
}

interface CustomersWorld {
  readonly call: TestGateway['call'];
  readonly secrets: ToldSecrets;
  readonly apps: () => readonly App[];
}

function customerOf({ call, secrets, apps }: CustomersWorld, accountId: string, key: string): Customer {
  let phones = 0;
  const customer: Customer = {
    accountId,
    key,
    call: (method, path, body, headers) =>
      call(method, path, { key, ...(body === undefined ? {} : { body }), ...(headers === undefined ? {} : { headers }) }),
    async linked(phoneNumber = `4917100${String(100 + phones++)}`) {
      const created = await customer.call('POST', '/v1/instances', {});
      if (created.status !== 200) throw new Error(`no instance: ${JSON.stringify(created.body)}`);
      const { instance_id, qrcode } = created.body.data;
      const scanned = await customer.call('POST', '/sandbox/scan', { code: qrcode.code, phone_number: phoneNumber });
      if (scanned.status !== 200) throw new Error(`no scan: ${JSON.stringify(scanned.body)}`);
      // The phone is told first; the session follows a moment later.
      await customer.reaches(instance_id, 'open');
      return instance_id;
    },
    async reaches(instanceId, status) {
      const deadline = Date.now() + 60_000;
      const current = () => sessionOn(apps(), accountId, instanceId)?.status;
      while (current() !== status) {
        if (Date.now() > deadline) throw new Error(`the instance is ${current()}, not ${status}`);
        await setTimeout(5);
      }
    },
    send(type, body, headers) {
      secrets.addBody(body);
      return customer.call('POST', `/v1/messages/${type}`, body, headers);
    },
    async received(to) {
      const answer = await customer.call('GET', `/sandbox/messages?to=${to}`);
      if (answer.status !== 200) throw new Error(`no messages: ${JSON.stringify(answer.body)}`);
      return answer.body.data.messages;
    },
  };
  return customer;
}
