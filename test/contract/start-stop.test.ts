import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp } from '../../src/app/start.ts';
import { readConfig } from '../../src/config/index.ts';
import { startGateway } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { anyStore, nodesOfGateway } from '../support/run-options.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';
import { createTestDatabase, type TestDatabase } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

const contact = '491701230005';

/** What is in the list beyond the former one. */
function surplus(list: readonly string[], former: readonly string[]): string[] {
  const known = [...former];
  return list.filter((name) => {
    const place = known.indexOf(name);
    if (place !== -1) known.splice(place, 1);
    return place === -1;
  });
}

describe('starting and stopping', () => {
  let database: TestDatabase;
  let dataDir: string;
  beforeEach(async () => {
    database = await createTestDatabase(anyStore);
    dataDir = anyStore === 'sqlite' ? database.location : mkdtempSync(join(tmpdir(), 'gateway-start-'));
  });
  afterEach(async () => {
    await database.dispose();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const start = (env: Record<string, string> = {}) => {
    const ours = {
      DATA_DIR: dataDir,
      PORT: '0',
      DATABASE_DURABILITY: 'normal',
      ...(anyStore === 'sqlite' ? {} : { DATABASE_URL: database.location }),
    };
    return startApp(readConfig({ ...ours, ...env }), { log: pino({ level: 'silent' }) });
  };
  /** What keeps sockets, files and threads busy. */
  const open = () =>
    process
      .getActiveResourcesInfo()
      .filter((name) => /TCP|FSEvent|MessagePort|Worker/.test(name))
      .sort();
  /** The start fails with one line that says this, and everything it opened is closed again. */
  const failsWith = async (line: RegExp, env: Record<string, string> = {}) => {
    const before = open();
    await expect(start(env)).rejects.toMatchObject({ name: 'OperatorError', message: expect.stringMatching(line) });
    // What an earlier test left closing may be gone by now; nothing may have come.
    await waitFor(() => expect(surplus(open(), before)).toEqual([]));
  };
  const works = async () => {
    const app = await start();
    expect((await fetch(`${app.address}/health`)).status).toBe(200);
    await app.stop();
  };

  it('listens when it has started, and not any more when it has stopped; then it starts again on the same data', async () => {
    const before = open();
    for (let time = 0; time < 2; time++) {
      const app = await start();
      expect((await fetch(`${app.address}/health`)).status).toBe(200);
      await app.stop();
      await expect(fetch(`${app.address}/health`)).rejects.toThrow();
      await app.stop();
    }
    // What an earlier test left closing may be gone by now; nothing may have come.
    await waitFor(() => expect(surplus(open(), before)).toEqual([]));
  });

  it('says so when the port is in use [start.fails]', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await failsWith(new RegExp(`^port ${port} on 127\\.0\\.0\\.1 is in use; .+$`), { PORT: String(port) });
    other.close();
    await works();
  });

  it.each(['203.0.113.7', 'gateway.invalid'])("says so when HOST %s is not this machine's [start.fails]", async (host) => {
    await failsWith(new RegExp(`^HOST ${host} is not an address of this machine$`), { HOST: host });
    await works();
  });

  it('makes its secret key once, readable by its owner only [start.data settings.secret-key]', async () => {
    await works();
    const file = join(dataDir, 'secret.key');
    const key = readFileSync(file, 'utf8');
    expect(key).toMatch(/^[0-9a-f]{64}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await works();
    expect(readFileSync(file, 'utf8')).toBe(key);
  });

  const spoilers: [string, (file: string) => void][] = [
    ['is empty', (file) => writeFileSync(file, '')],
    ['is too short', (file) => writeFileSync(file, 'a1'.repeat(31))],
    ['is no hex', (file) => writeFileSync(file, 'zz'.repeat(32))],
    ['is a folder', (file) => mkdirSync(file)],
    ['may not be read', (file) => writeFileSync(file, 'a1'.repeat(32), { mode: 0 })],
  ];
  // Root reads what nobody may read.
  it.each(process.getuid?.() === 0 ? spoilers.slice(0, -1) : spoilers)(
    'refuses a secret.key that %s, and leaves it alone [settings.secret-key]',
    async (_what, spoil) => {
      const file = join(dataDir, 'secret.key');
      spoil(file);
      const before = statSync(file);
      await failsWith(/^.*secret\.key.+$/);
      expect([statSync(file).size, statSync(file).mtimeMs]).toEqual([before.size, before.mtimeMs]);
      rmSync(file, { recursive: true });
      await works();
    },
  );

  it('needs no secret.key when SECRET_KEY is set [settings.secret-key]', async () => {
    const app = await start({ SECRET_KEY: 'a1'.repeat(32) });
    await app.stop();
    expect(() => statSync(join(dataDir, 'secret.key'))).toThrow('ENOENT');
  });

  it('refuses a data folder that is a file [start.fails]', async () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    await failsWith(/^[^\n]+$/, { DATA_DIR: file });
  });

  it('refuses to run beside another server on the same data, which keeps working [start.fails]', async () => {
    const first = await start();
    await failsWith(/^another gateway server[^\n]+$/);
    expect((await fetch(`${first.address}/health`)).status).toBe(200);
    await first.stop();
    await works();
  });

  // Several servers stop one after the other, and a request may get to another one meanwhile.
  if (nodesOfGateway === 1) {
    it('has no number log in before it knows that its ports are free [start.fails]', async () => {
      const network = new ScriptedNetwork();
      const gateway = await startGateway(anyStore, { overrides: { networks: () => [network] } });
      const customer = await gateway.customer();
      const { instance_id } = (await customer.call('POST', '/v1/instances', {})).body.data;
      await network.link(instance_id).pairs('491710001600');
      await customer.reaches(instance_id, 'open');
      const links = network.linksOf(instance_id).length;
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as { port: number };
      for (const name of ['PORT', 'METRICS_PORT']) {
        await expect(gateway.restart({ env: { [name]: String(port) } })).rejects.toThrow('in use');
      }
      expect(network.linksOf(instance_id)).toHaveLength(links);
      other.close();
      await gateway.restart();
      await waitFor(() => expect(network.linksOf(instance_id)).toHaveLength(links + 1));
      await gateway.stop();
    });

    it('finishes a send in flight before it closes links and store, and keeps the numbers linked [stop.order sandbox.0005]', async () => {
      const clock = createManualClock();
      const gateway = await startGateway(anyStore, { overrides: { clock } });
      const customer = await gateway.customer();
      const instance_id = await customer.linked();
      const answer = customer.send('text', { instance_id, to: contact, text: 'x' });
      await waitFor(async () => expect(await customer.received(contact)).toHaveLength(1));
      let stopped = false;
      const restarted = gateway.restart().then(() => {
        stopped = true;
      });
      // The server is closing: nobody gets in any more, yet the send is not cut off.
      await waitFor(() => expect(fetch(`${gateway.address}/health`)).rejects.toThrow());
      expect(stopped).toBe(false);
      await clock.advanceAsync(3000);
      expect(await answer).toMatchObject({ status: 200, body: { data: { status: 'sent' } } });
      await restarted;
      await customer.reaches(instance_id, 'open');
      await gateway.stop();
    });

    it.each([
      {
        door: 'MCP',
        path: () => '/mcp',
        body: (instance_id: string) => {
          const params = { name: 'send_text', arguments: { instance_id, to: '491701230100', text: 'x' } };
          return { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
        },
        done: { status: 200, body: expect.stringContaining('\\"status\\":\\"sent\\"') },
      },
      {
        door: 'Evolution API',
        path: (id: string) => `/message/sendText/${id}`,
        body: () => ({ number: '491701230100', text: 'x' }),
        done: { status: 201, body: expect.stringContaining('"status":"PENDING"') },
      },
    ])('does what a request by $door asks for that arrives completely after the stop has begun [stop.order]', async (each) => {
      const gateway = await startGateway(anyStore, { env: { COMPATIBILITY: 'evolution' } });
      const customer = await gateway.customer();
      const id = await customer.linked();
      const body = JSON.stringify(each.body(id));
      const headers = {
        ...{ apikey: customer.key, accept: 'application/json, text/event-stream' },
        ...{ 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
      };
      const sent = request(`${gateway.address}${each.path(id)}`, { method: 'POST', headers });
      sent.flushHeaders();
      await once(sent, 'continue');
      const stopped = gateway.app.stop();
      await waitFor(() => expect(fetch(`${gateway.address}/health`)).rejects.toThrow());
      sent.end(body);
      const [response] = await once(sent, 'response');
      expect({ status: response.statusCode, body: await readText(response) }).toEqual(each.done);
      expect(await stopped).toBe(true);
      expect(gateway.logged()).not.toContain('unexpected error');
      await gateway.stop();
    });

    it('cuts off at its bound a request that does not end; its work still ends in order and nothing of it is lost [stop.order]', async () => {
      const clock = createManualClock();
      const gateway = await startGateway(anyStore, { overrides: { clock, connectionLimits: { stopMs: 200 } } });
      const customer = await gateway.customer();
      const instance_id = await customer.linked();
      const send = () => customer.send('text', { instance_id, to: contact, text: 'x' }, { 'idempotency-key': 'cut-off-1' });
      const answer = send();
      answer.catch(() => undefined);
      await waitFor(async () => expect(await customer.received(contact)).toHaveLength(1));
      // The network never acknowledges: its clock stands still.
      expect(await gateway.app.stop()).toBe(true);
      await expect(answer).rejects.toThrow();
      expect(gateway.logged()).toContain('cut off by the stop');
      await gateway.restart();

      const store = gateway.app.store;
      const logged = await store.db.selectFrom('requests').selectAll().execute();
      expect(JSON.stringify(logged)).toMatch(/cut-off|upstream_unavailable/);
      await customer.reaches(instance_id, 'open');
      const again = send();
      await waitFor(async () => {
        await clock.advanceAsync(3000);
        expect(await Promise.race([again, null])).not.toBeNull();
      });
      expect((await again).body).toMatchObject({ success: true });
      expect(await customer.received(contact)).toHaveLength(1);
      await gateway.stop();
    });
  }

  it('ends everything else when a part of it hangs, and says so [stop.order]', async () => {
    const config = readConfig({
      DATA_DIR: dataDir,
      PORT: '0',
      DATABASE_DURABILITY: 'normal',
      ...(anyStore === 'sqlite' ? {} : { DATABASE_URL: database.location }),
    });
    let logged = '';
    const log = pino(
      { level: 'error' },
      {
        write: (line: string) => {
          logged += line;
        },
      },
    );
    const hanging = new ScriptedNetwork();
    hanging.close = () => new Promise(() => undefined);
    const networks = () => [hanging];
    const app = await startApp(config, { log, networks, closeMs: 100 });
    expect(await app.stop()).toBe(false);
    expect(logged).toContain('something did not close');
    await works();
  });
});
