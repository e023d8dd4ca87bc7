import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { refusal } from '../support/refusal.ts';
import { nodesOfGateway } from '../support/run-options.ts';
import { type ScriptedLink, ScriptedNetwork } from '../support/scripted-network.ts';
import { storeKinds } from '../support/stores.ts';

const simultaneousLogins = 20;
const secretKey = 'a1'.repeat(32);
const otherKey = 'b2'.repeat(32);

describe.each(storeKinds)('a restart on %s', (kind) => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());
  const status = async (customer: Customer, id: string) => (await customer.call('GET', `/v1/instances/${id}/status`)).body.data;
  const send = (customer: Customer, instance_id: string) => customer.send('text', { instance_id, to: '491701234500', text: 'x' });

  it('brings linked numbers back without a scan, and leaves the others as they were [restart.linked]', async () => {
    gateway = await startGateway(kind);
    const customer = await gateway.customer();
    const linked = await customer.linked('491710000800');
    const loggedOut = await customer.linked('491710000801');
    await customer.call('DELETE', `/v1/instances/${loggedOut}?logout_only=true`);
    const neverPaired = (await customer.call('POST', '/v1/instances', { label: 'new' })).body.data.instance_id;
    const before = (await customer.call('GET', '/v1/instances')).body.data.instances;
    for (let time = 0; time < 2; time++) {
      await gateway.restart();
      await customer.reaches(linked, 'open');
      expect((await send(customer, linked)).status).toBe(200);
      expect(await status(customer, loggedOut)).toMatchObject({ status: 'close', phone_number: '491710000801' });
      const after = (await customer.call('GET', '/v1/instances')).body.data.instances;
      // A pairing attempt ends with the process that showed it.
      expect(after).toEqual(
        before.map((one: { instance_id: string }) => (one.instance_id === neverPaired ? { ...one, status: 'close' } : one)),
      );
    }
  });

  it('finds a number closed that its phone unlinked while the gateway was down [restart.linked]', async () => {
    gateway = await startGateway(kind);
    const customer = await gateway.customer();
    const unlinked = await customer.linked('491710000802');
    const kept = await customer.linked('491710000803');
    await gateway.restart({ whileDown: (store) => store.db.deleteFrom('sandbox_devices').where('instance_id', '=', unlinked).execute() });
    await customer.reaches(unlinked, 'close');
    await customer.reaches(kept, 'open');
    expect(await status(customer, unlinked)).toMatchObject({ status: 'close', connected: false, phone_number: '491710000802' });
    expect(await send(customer, unlinked)).toMatchObject(refusal(409, 'instance_not_connected'));
    expect((await send(customer, kept)).status).toBe(200);
  });

  // Several servers must have the same key.
  if (nodesOfGateway === 1) {
    it('keeps credentials encrypted, and deletes nothing when it is started with another SECRET_KEY [credentials.encrypted]', async () => {
      gateway = await startGateway(kind, { env: { SECRET_KEY: secretKey } });
      const customer = await gateway.customer();
      const id = await customer.linked('491710000804');
      const read = () => gateway.app.store.db.selectFrom('credentials').selectAll().where('instance_id', '=', id).execute();
      const device = await gateway.app.store.db
        .selectFrom('sandbox_devices')
        .select('id')
        .where('instance_id', '=', id)
        .executeTakeFirstOrThrow();
      const sealed = await read();
      expect(sealed.length).toBeGreaterThan(0);
      for (const row of sealed) {
        for (const secret of [device.id, '491710000804', 'device_id']) {
          expect(row.sealed.includes(secret)).toBe(false);
          expect(row.sealed.includes(Buffer.from(secret).toString('base64').replace(/=+$/, ''))).toBe(false);
        }
      }

      await gateway.restart({ env: { SECRET_KEY: otherKey } });
      await vi.waitFor(() => expect(gateway.session(customer.accountId, id)?.status).toBe('connecting'));
      expect(await status(customer, id)).toMatchObject({ status: 'connecting', phone_number: '491710000804' });
      expect(await read()).toEqual(sealed);
      expect(gateway.logged()).toContain('encrypted with another secret key');

      await gateway.restart({ env: { SECRET_KEY: secretKey } });
      await customer.reaches(id, 'open');
      expect((await send(customer, id)).status).toBe(200);
    });
  }

  // Several servers have no secret.key.
  if (nodesOfGateway === 1) {
    it('makes no new key in the place of one that linked numbers need', async () => {
      gateway = await startGateway(kind);
      const customer = await gateway.customer();
      const id = await customer.linked('491710000803');
      const file = join(gateway.dataDir, 'secret.key');
      const key = readFileSync(file);
      await expect(gateway.restart({ whileDown: async () => rmSync(file) })).rejects.toThrow(
        /secret\.key is missing, and only it decrypts/,
      );
      expect(existsSync(file)).toBe(false);
      writeFileSync(file, key, { mode: 0o600 });
      await gateway.restart();
      await customer.reaches(id, 'open');
      expect((await send(customer, id)).status).toBe(200);
    });
  }

  it("does not open the credentials of one instance in the place of another's [credentials.encrypted]", async () => {
    gateway = await startGateway(kind);
    const customer = await gateway.customer();
    const [first, second] = [await customer.linked('491710000805'), await customer.linked('491710000806')];
    await gateway.restart({
      async whileDown({ db }) {
        const { sealed } = await db.selectFrom('credentials').select('sealed').where('instance_id', '=', first).executeTakeFirstOrThrow();
        await db.updateTable('credentials').set({ sealed }).where('instance_id', '=', second).execute();
      },
    });
    await customer.reaches(first, 'open');
    expect(await status(customer, second)).toMatchObject({ status: 'connecting', phone_number: '491710000806' });
  });

  // Each server logs in so many at once.
  if (nodesOfGateway === 1) {
    it(`logs 200 numbers in staggered, never more than ${simultaneousLogins} at once, and stops with all of them linked [restart.linked]`, async () => {
      const clock = createManualClock();
      const network = new ScriptedNetwork();
      gateway = await startGateway(kind, { overrides: { clock, networks: () => [network] } });
      const pairNow = (link: ScriptedLink) => void link.pairs(phoneOf(link));
      const phones = new Map<string, string>();
      const phoneOf = (link: ScriptedLink) => phones.get(link.context.instanceId) ?? `49171${String(1_000_000 + phones.size)}`;
      network.onOpen = (link) => {
        phones.set(link.context.instanceId, phoneOf(link));
        pairNow(link);
      };
      const customers = await Promise.all([1, 2].map(() => gateway.customer()));
      for (const customer of customers) await Promise.all(Array.from({ length: 100 }, () => customer.call('POST', '/v1/instances', {})));
      await vi.waitFor(() => expect(statuses()).toEqual({ open: 200 }));

      const loggingIn = new Set<ScriptedLink>();
      let most = 0;
      network.links.length = 0;
      network.onOpen = (link, linked) => {
        expect(linked).toBe(true);
        loggingIn.add(link);
        most = Math.max(most, loggingIn.size);
      };
      await gateway.restart();
      expect(statuses()).toEqual({ connecting: 200 });
      for (let opened = 0; opened < 200; opened++) {
        await vi.waitFor(() => expect(loggingIn.size).toBe(Math.min(simultaneousLogins, 200 - opened)), { interval: 1 });
        const [link] = loggingIn;
        if (link === undefined) throw new Error('nobody logs in');
        loggingIn.delete(link);
        link.opens(phoneOf(link));
      }
      await vi.waitFor(() => expect(statuses()).toEqual({ open: 200 }));
      expect(most).toBe(simultaneousLogins);
      expect(network.links).toHaveLength(200);

      await gateway.restart({
        async whileDown({ db }) {
          expect(new Set(network.links.map((link) => link.ended))).toEqual(new Set(['closed']));
          expect(await db.selectFrom('instances').select('id').where('linked', '=', 1).execute()).toHaveLength(200);
        },
      });

      // A login that hangs gives its place to the next after half a minute.
      await vi.waitFor(() => expect(loggingIn.size).toBe(simultaneousLogins));
      await clock.advanceAsync(30_000);
      await vi.waitFor(() => expect(loggingIn.size).toBe(2 * simultaneousLogins));

      function statuses() {
        const counts: Record<string, number> = {};
        for (const { accountId } of customers) {
          for (const session of gateway.app.sessions.ofAccount(accountId)) counts[session.status] = (counts[session.status] ?? 0) + 1;
        }
        return counts;
      }
    });

    /** One number more than may log in at once, linked; their phone numbers begin like this. */
    async function oneMoreThanLogIn(prefix: string) {
      const network = new ScriptedNetwork();
      gateway = await startGateway(kind, { overrides: { networks: () => [network] } });
      const customer = await gateway.customer();
      const ids: string[] = [];
      for (let number = 0; number <= simultaneousLogins; number++) {
        const id = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
        await network.link(id).pairs(`${prefix}${10 + number}`);
        await customer.reaches(id, 'open');
        ids.push(id);
      }
      return { network, customer, ids };
    }

    it('does not link a second time a number that was logged out and paired anew while it waited for its login [restart.linked]', async () => {
      const { network, customer, ids } = await oneMoreThanLogIn('4917100009');
      network.links.length = 0;
      await gateway.restart();
      await vi.waitFor(() => expect(network.links).toHaveLength(simultaneousLogins));
      const last = ids.at(-1) ?? '';
      expect(network.linksOf(last)).toHaveLength(0);
      await customer.call('DELETE', `/v1/instances/${last}?logout_only=true`);
      await customer.call('GET', `/v1/instances/${last}/qr`);
      await network.link(last).pairs('491710000999');
      await customer.reaches(last, 'open');
      const links = network.linksOf(last).length;
      network.link(ids[0] ?? '').opens('491710000910');
      await customer.reaches(ids[0] ?? '', 'open');
      expect((await send(customer, last)).status).toBe(200);
      expect(network.linksOf(last)).toHaveLength(links);
    });

    it('does not log a number in whose turn comes while it is being logged out', async () => {
      const { network, customer, ids } = await oneMoreThanLogIn('4917100008');
      const [first = '', last = ''] = [ids[0], ids.at(-1)];
      network.links.length = 0;
      const loggedOut = Promise.withResolvers<void>();
      await gateway.restart();
      await vi.waitFor(() => expect(network.links).toHaveLength(simultaneousLogins));
      const open = network.open.bind(network);
      network.open = (context) => {
        const link = open(context);
        link.logout = () => loggedOut.promise;
        return link;
      };
      expect(network.linksOf(last)).toHaveLength(0);
      const deleted = customer.call('DELETE', `/v1/instances/${last}`);
      await vi.waitFor(() => expect(network.linksOf(last)).toHaveLength(1));
      // Its place in the queue comes up.
      network.link(first).opens('491710000810');
      await customer.reaches(first, 'open');
      expect((await send(customer, first)).status).toBe(200);
      loggedOut.resolve();
      expect((await deleted).status).toBe(200);
      expect(network.linksOf(last)).toHaveLength(1);
    });
  }
});
