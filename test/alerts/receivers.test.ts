import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Alerts, createTarget, listDeliveries, testTarget } from '../../src/alerts/index.ts';
import { type Clock, createVault, systemClock } from '../../src/core/index.ts';
import { createLanguages } from '../../src/language/index.ts';
import { createAddressGuard, createWebhookPost } from '../../src/media/index.ts';
import type { Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { noBrands, wholeRound } from '../support/alert-rounds.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/stores.ts';

const minuteMs = 60_000;

describe('a receiver of alerts that', () => {
  let clock: ManualClock;
  /** The time that an attempt may take. */
  let wire: ManualClock;
  let database: TestDatabase;
  let store: Store;
  const servers: Server[] = [];
  beforeEach(async () => {
    clock = createManualClock();
    wire = createManualClock();
    database = await createTestDatabase('sqlite');
    store = await database.open();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function') server.closeAllConnections();
      server.close();
    }
    await store.close();
    await database.dispose();
  });

  async function listening(server: Server, port = 0): Promise<number> {
    servers.push(server);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  const vault = createVault(Buffer.alloc(32, 1));
  /** A target at this port alone, and how its alerts are sent. */
  async function targetAt(port: number, wireClock: Clock = wire) {
    const { target } = await createTarget(
      { store, vault },
      { of: 'all', kind: 'webhook', address: `http://127.0.0.1:${port}/alerts` },
      at(clock.now()),
    );
    const alerts = new Alerts({
      store,
      vault,
      clock,
      now: async () => clock.now(),
      webhooks: createWebhookPost({ guard: createAddressGuard({ allowHosts: [`127.0.0.1:${port}`] }), clock: wireClock }),
      languages: createLanguages(),
      brands: noBrands,
      publicUrl: null,
      sendMail: null,
      random: () => 0.5,
      measuring: null,
      log: { warn: () => undefined, error: () => undefined },
    });
    const log = async () => (await listDeliveries(store, target.id)).map(({ state, outcome }) => [state, outcome]);
    return { alerts, log, test: () => testTarget(store, target.id, clock.now()) };
  }

  it('is down for an hour gets everything afterwards, in order', async () => {
    const bodies: string[] = [];
    const receive = () =>
      createHttpServer(async (request, response) => {
        let body = '';
        for await (const part of request.setEncoding('utf8')) body += part;
        bodies.push(body);
        response.writeHead(204).end();
      });
    const first = receive();
    const port = await listening(first);
    first.close();
    await once(first, 'close');
    const { alerts, log, test } = await targetAt(port, systemClock);
    for (let minute = 0; minute < 60; minute++) {
      if (minute % 20 === 0) await test();
      await wholeRound(alerts);
      clock.advance(minuteMs);
    }
    expect((await log()).map(([state]) => state)).toEqual(['waiting', 'waiting', 'waiting']);
    await listening(receive(), port);
    for (let minute = 0; minute < 60; minute++) {
      clock.advance(minuteMs);
      await wholeRound(alerts);
    }
    expect((await log()).map(([state]) => state)).toEqual(['delivered', 'delivered', 'delivered']);
    const times = bodies.map((body) => JSON.parse(body).timestamp);
    expect(times).toHaveLength(3);
    expect(times).toEqual([...times].sort());
  });

  it('does not answer is given up on after 20 seconds, and tried again', async () => {
    const asked = Promise.withResolvers<void>();
    const { alerts, log, test } = await targetAt(await listening(createHttpServer(() => asked.resolve())));
    await test();
    const round = wholeRound(alerts);
    await asked.promise;
    wire.advance(20_000);
    await round;
    expect(await log()).toEqual([['waiting', 'its server did not answer in time']]);
  });

  it('redirects inside is not followed', async () => {
    let inside = 0;
    const secret = await listening(
      createHttpServer((_request, response) => {
        inside++;
        response.end();
      }),
    );
    const location = `http://127.0.0.1:${secret}/admin`;
    const port = await listening(createHttpServer((_request, response) => response.writeHead(302, { location }).end()));
    const { alerts, log, test } = await targetAt(port);
    await test();
    await wholeRound(alerts);
    expect(await log()).toEqual([['waiting', 'answered 302']]);
    expect(inside).toBe(0);
  });

  it('answers garbage is tried again', async () => {
    const port = await listening(
      createServer((socket) => socket.on('error', () => undefined).end('\u0000\u0001 garbage, not HTTP\r\n\r\n')),
    );
    const { alerts, log, test } = await targetAt(port);
    await test();
    await wholeRound(alerts);
    const [[state, outcome] = []] = await log();
    expect(state).toBe('waiting');
    expect(outcome).not.toContain('200');
  });

  it('never ends its answer is heard by its status alone', async () => {
    const port = await listening(
      createHttpServer((_request, response) => {
        response.writeHead(200);
        response.write('x'.repeat(100_000));
      }),
    );
    const { alerts, log, test } = await targetAt(port);
    await test();
    await wholeRound(alerts);
    expect(await log()).toEqual([['delivered', 'answered 200']]);
  });
});
