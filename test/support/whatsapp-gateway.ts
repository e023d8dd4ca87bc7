import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type Person, startWhatsAppServer, type WhatsAppServer, type WhatsAppServerOptions } from 'whatsapp-test-server';
import { readConfig } from '../../src/config/index.ts';
import { type Clock, systemClock } from '../../src/core/index.ts';
import { createWhatsAppNetwork, type WhatsAppOptions } from '../../src/networks/whatsapp/whatsapp-network.ts';
import { createClientVersions, type Store } from '../../src/store/index.ts';
import { type Answer, type Customer, startGateway, type TestGateway } from './gateway.ts';
import { type StoreKind, storeKinds } from './run-options.ts';
import { waitFor } from './wait-for.ts';

/** A gateway that sends over a WhatsApp server of its own, with a customer, to whom everything belongs unless another is named. */
export interface WhatsAppWorld {
  readonly server: WhatsAppServer;
  readonly gateway: TestGateway;
  readonly customer: Customer;
  /** What the gateway has logged, as lines of JSON. */
  logged(): string;
  /** Somebody whom nobody has mentioned yet. */
  somebody(): Person;
  /** The code that the instance shows; begins a pairing attempt when none is running. */
  code(instanceId: string, of?: Customer): Promise<string>;
  /** A new instance, not linked; its id. */
  instance(of?: Customer): Promise<string>;
  /** Sends a text from the instance. */
  text(instanceId: string, to: string, text?: string, headers?: Record<string, string>): Promise<Answer>;
  /** How many credential records the instance has. */
  records(instanceId: string): Promise<number>;
  /** Links this number to a new instance by a scan; the id of the instance. */
  linkedNumber(number: string, of?: Customer): Promise<string>;
  /** `data` of GET /v1/instances/{id}/{rest}. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape they are about to assert
  get(instanceId: string, rest: string, of?: Customer): Promise<any>;
  /** Copies the data folder while the gateway is down, which is then up again: what a backup holds. Removed by `close`. */
  backup(): Promise<string>;
  /** A second gateway beside the first, on a copy of this data folder, with the same customer. */
  secondGateway(copyOf: string): Promise<{ readonly gateway: TestGateway; readonly customer: Customer }>;
  close(): Promise<void>;
}

export interface WhatsAppWorldOptions {
  /** By default SQLite, or the store that TEST_STORES names. */
  readonly store?: StoreKind;
  readonly env?: Record<string, string>;
  /** The clock of everything but the connections themselves, which always live by the real one. */
  readonly clock?: Clock;
  /** The clock by which new keys of the installation are looked for. */
  readonly keyClock?: Clock;
  /** For the waits between reconnects; default 0: they begin at once. */
  readonly random?: () => number;
  /** Shorter waits than the usual ones, where a test has to sit them out. */
  readonly timing?: WhatsAppOptions['timing'];
  readonly server?: WhatsAppServerOptions;
}

/** Starts both, and makes the customer. */
export async function startWhatsAppWorld(options: WhatsAppWorldOptions = {}): Promise<WhatsAppWorld> {
  const { clock = systemClock, keyClock = systemClock, random = () => 0, timing = {} } = options;
  const server = await startWhatsAppServer(options.server);
  const env = {
    NETWORKS: 'whatsapp',
    WHATSAPP_WORKERS: '1',
    WHATSAPP_URL: server.url,
    WHATSAPP_ROOT_KEY: server.rootKey,
    WHATSAPP_CA_FILE: server.caFile,
    ...options.env,
  };
  let logged = '';
  const sink = {
    write(line: string) {
      logged += line;
    },
  };
  const log = pino({ level: 'info' }, sink);
  // Redis comes with a database, which startGateway makes.
  const { whatsapp } = readConfig({ ...env, REDIS_URL: '' });
  const networks = ({ db }: Store) => [
    createWhatsAppNetwork({ ...whatsapp, clock, log, timing, random, versions: createClientVersions(db, 'whatsapp') }),
  ];
  const start = (copyOf?: string) =>
    startGateway(options.store ?? storeKinds[0] ?? 'sqlite', {
      env,
      overrides: { clock, keyClock, log, random, networks },
      logged: () => logged,
      ...(copyOf === undefined ? {} : { copyOf }),
    });
  try {
    const gateway = await start();
    server.showsCodes(() => codesOnShow(gateway));
    const customer = await gateway.customer({ plan: await gateway.plan() });
    return world({ server, gateway, customer, logged: () => logged, start });
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** The codes that the gateway's pairing attempts show right now. */
export function codesOnShow(gateway: TestGateway): string[] {
  return gateway.apps.flatMap(({ sessions }) => sessions.all()).flatMap(({ attempt }) => attempt?.code ?? []);
}

type Base = Pick<WhatsAppWorld, 'server' | 'gateway' | 'customer' | 'logged'> & {
  readonly start: (copyOf: string) => Promise<TestGateway>;
};

function world({ start, ...base }: Base): WhatsAppWorld {
  const { server, gateway, customer } = base;
  const backups: string[] = [];
  let people = 0;
  const made: WhatsAppWorld = {
    ...base,
    somebody: () => server.person(`4915120${String(100_000 + people++)}`),
    code: (instanceId, of = customer) =>
      waitFor(async () => {
        const shown: string | undefined = (await made.get(instanceId, 'qr', of))?.qrcode?.code;
        if (shown === undefined) throw new Error('no code yet');
        return shown;
      }),
    async instance(of = customer) {
      const created = await of.call('POST', '/v1/instances', {});
      if (created.status !== 200) throw new Error(`no instance: ${JSON.stringify(created.body)}`);
      return created.body.data.instance_id;
    },
    async linkedNumber(number, of = customer) {
      const id = await made.instance(of);
      await server.person(number).scan(await made.code(id, of));
      await of.reaches(id, 'open');
      return id;
    },
    text: (instanceId, to, text = 'Hello', headers = {}) => customer.send('text', { instance_id: instanceId, to, text }, headers),
    async records(instanceId) {
      const rows = await gateway.app.store.db.selectFrom('credentials').select('name').where('instance_id', '=', instanceId).execute();
      return rows.length;
    },
    get: async (instanceId, rest, of = customer) => (await of.call('GET', `/v1/instances/${instanceId}/${rest}`)).body.data,
    async backup() {
      const copy = mkdtempSync(join(tmpdir(), 'gateway-backup-'));
      backups.push(copy);
      await gateway.restart({ whileDown: async () => cpSync(gateway.dataDir, copy, { recursive: true }) });
      return copy;
    },
    async secondGateway(copyOf) {
      const second = await start(copyOf);
      server.showsCodes(() => codesOnShow(second));
      return { gateway: second, customer: second.existing(customer) };
    },
    async close() {
      await gateway.stop();
      await server.close();
      for (const backup of backups) rmSync(backup, { recursive: true, force: true });
    },
  };
  return made;
}
