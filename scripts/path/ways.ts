import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startWhatsAppServer, type WhatsAppServer } from 'whatsapp-test-server';
import { createAccount, createKey, createPlan } from '../../src/accounts/index.ts';
import { createLog } from '../../src/app/log.ts';
import { type App, startApp } from '../../src/app/start.ts';
import { readConfig } from '../../src/config/index.ts';
import { createDatabase, dropDatabase } from '../../test/support/databases.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { startRedis } from '../../test/support/redis.ts';
import { measure, type Ran } from './measure.ts';

const recipient = '4915120001234';

/** What the program is followed through, each with the settings it has by default. */
export const ways: Readonly<Record<string, { readonly title: string; readonly follow: (timed: boolean) => Promise<readonly Ran[]> }>> = {
  sandbox: {
    title: 'A text with a key over the sandbox, from the request to its answer',
    follow: (timed) =>
      inWorld(async (end) => {
        const caller = await callerOf(await startServer({ NETWORKS: 'sandbox' }, end));
        const from = await caller.sandboxNumber();
        return measure(() => caller.send(from), timed);
      }),
  },
  whatsapp: {
    title: 'A text with a key over WhatsApp, from the request to its answer',
    follow: (timed) =>
      inWorld(async (end) => {
        const { network, settings } = await startNetwork(end);
        const caller = await callerOf(await startServer(settings, end));
        const from = await caller.pair(network, '4915110000001');
        return measure(() => caller.send(from), timed);
      }),
  },
  servers: {
    title: 'A text with a key from a number of another server, from the request to its answer; what runs in both servers counts once',
    follow: (timed) =>
      inWorld(async (end) => {
        const redis = await startRedis();
        end(() => redis.dispose());
        const shared = { NETWORKS: 'sandbox', DATABASE_URL: await database(end), REDIS_URL: redis.url, SECRET_KEY: '07'.repeat(32) };
        const servers = [await startServer(shared, end), await startServer(shared, end)] as const;
        const caller = await callerOf(servers[0]);
        const from = await caller.sandboxNumber();
        const other = servers.find(({ sessions }) => sessions.find(caller.accountId, from) === undefined);
        if (other === undefined) throw new Error('both servers have the number');
        return measure(() => caller.send(from, other), timed);
      }),
  },
  pairing: {
    title: 'A number is made, scanned and asked for until it is connected, over WhatsApp',
    follow: (timed) =>
      inWorld(async (end) => {
        const { network, settings } = await startNetwork(end);
        const caller = await callerOf(await startServer(settings, end));
        let phones = 0;
        return measure(async () => {
          const phone = `49151100000${10 + phones++}`;
          // A phone with such a key hands over a piece of its history, at about the time when the number is connected.
          network.person(phone).salt = null;
          await caller.pair(network, phone);
        }, timed);
      }),
  },
};

type End = (step: () => unknown) => void;

/** Does the work, and what it left for the end, the last first. */
async function inWorld<T>(work: (end: End) => Promise<T>): Promise<T> {
  const steps: (() => unknown)[] = [];
  try {
    return await work((step) => void steps.unshift(step));
  } finally {
    for (const step of steps) await step();
  }
}

async function startServer(env: Readonly<Record<string, string>>, end: End): Promise<App> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-path-'));
  end(() => rmSync(folder, { recursive: true, force: true }));
  const config = readConfig({ PORT: '0', DATA_DIR: folder, ...env });
  const app = await startApp(config, { log: createLog({ logLevel: 'info', logFormat: 'json' }, { write: () => undefined }) });
  end(() => app.stop());
  return app;
}

/** The URL of an empty PostgreSQL database, on the server that TEST_DATABASE_URL names or on one of its own. */
async function database(end: End): Promise<string> {
  let url = process.env.TEST_DATABASE_URL;
  if (url === undefined) {
    const server = await startPostgres();
    end(() => server.dispose());
    url = server.url;
  }
  const serverUrl = url;
  const { name, url: made } = await createDatabase(serverUrl);
  end(() => dropDatabase(serverUrl, name));
  return made;
}

/** Phones that confirm nothing: what comes after the answer would count when it is fast. */
async function startNetwork(end: End) {
  const network = await startWhatsAppServer({ receipts: false });
  end(() => network.close());
  const { url, rootKey, caFile } = network;
  const settings = { NETWORKS: 'whatsapp', WHATSAPP_WORKERS: '1', WHATSAPP_URL: url, WHATSAPP_ROOT_KEY: rootKey, WHATSAPP_CA_FILE: caFile };
  return { network, settings };
}

interface Caller {
  readonly accountId: string;
  /** Sends a text from this number, through its server or another. */
  send(from: string, server?: App): Promise<void>;
  sandboxNumber(): Promise<string>;
  pair(network: WhatsAppServer, phone: string): Promise<string>;
}

/** A customer of the server, over HTTP. */
async function callerOf(app: App): Promise<Caller> {
  const act = { actor: { kind: 'system' }, now: Date.now() } as const;
  await createPlan(app.store, { name: 'path', messagesPerMinute: 10_000, instanceLimit: 100 }, act);
  const { id: accountId } = await createAccount(app.store, { name: 'path', plan: 'path' }, act);
  const { key } = await createKey(app.store, accountId, { label: null }, act);
  let sends = 0;

  const call = async (method: string, path: string, body?: object, { headers = {}, server = app } = {}) => {
    const response = await fetch(server.address + path, {
      method,
      headers: { apikey: key, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text).data as { instance_id: string; connected: boolean; qrcode: { code: string } | null };
  };
  const connected = async (id: string) => {
    while (!(await call('GET', `/v1/instances/${id}/qr-status`)).connected) await setTimeout(50);
    return id;
  };
  return {
    accountId,
    async send(from, server = app) {
      const headers = { 'idempotency-key': `path-send-${++sends}` };
      await call('POST', '/v1/messages/text', { instance_id: from, to: recipient, text: 'Hello' }, { headers, server });
    },
    async sandboxNumber() {
      const { instance_id: id, qrcode } = await call('POST', '/v1/instances', {});
      await call('POST', '/sandbox/scan', { code: qrcode?.code, phone_number: '15550100' });
      return connected(id);
    },
    async pair(network, phone) {
      const { instance_id: id } = await call('POST', '/v1/instances', {});
      let seen: string | undefined;
      const nextCode = async () => {
        for (;;) {
          const code = (await call('GET', `/v1/instances/${id}/qr-status`)).qrcode?.code;
          if (code !== undefined && code !== seen) {
            seen = code;
            return code;
          }
          await setTimeout(50);
        }
      };
      await network.person(phone).scan(await nextCode(), nextCode);
      return connected(id);
    },
  };
}
