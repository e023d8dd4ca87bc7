import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../support/gateway.ts';
import { rounds } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

/** How many numbers may log in at a time. */
const cap = 20;
const count = rounds({ short: 40, long: 300 });
/** A customer may ask about instances 120 times a minute. */
const numbersPerCustomer = 40;
/** How long a hundred numbers and more may take; the short form needs no more than any test. */
const hangMs = rounds({ short: 60_000, long: 300_000 });

describe(`${count} linked WhatsApp numbers`, () => {
  let world: WhatsAppWorld;
  const customers: { readonly customer: Customer; readonly ids: string[] }[] = [];
  const numbers: string[] = [];
  beforeAll(async () => {
    world = await startWhatsAppWorld({ random: Math.random, server: { decrypt: 'never', receipts: false } });
    while (numbers.length < count) {
      const batch = Array.from({ length: Math.min(numbersPerCustomer, count - numbers.length) }, () => world.somebody().number);
      numbers.push(...batch);
      const customer = await world.gateway.customer();
      const ids: string[] = [];
      customers.push({ customer, ids });
      const link = async () => {
        for (let number = batch.pop(); number !== undefined; number = batch.pop()) ids.push(await world.linkedNumber(number, customer));
      };
      await Promise.all(Array.from({ length: 6 }, link));
    }
  }, hangMs);
  afterAll(() => world?.close(), hangMs);

  /** All numbers connected at the network and open for their owners, who see it over HTTP. */
  async function expectAllBack() {
    await waitFor(() => expect(world.server.record.connected()).toHaveLength(count));
    for (const { customer, ids } of customers) {
      for (const id of ids) await customer.reaches(id, 'open');
      const { body } = await customer.call('GET', '/v1/instances');
      expect(body.data.instances.map(({ status }: { status: string }) => status)).toEqual(ids.map(() => 'open'));
    }
    const [{ customer, ids } = { customer: world.customer, ids: [] }] = customers;
    const answer = await customer.send('text', { instance_id: ids[0], to: '4915120000006', text: 'Back' });
    expect(answer.status).toBe(200);
  }

  it(
    'a restart of the gateway is no stampede: all come back, and HTTP answers meanwhile',
    async () => {
      const { record } = world.server;
      const loginsBefore = numbers.reduce((sum, number) => sum + record.logins(number), 0);
      const [first] = customers;
      await world.gateway.restart({
        whileDown: async () => {
          await waitFor(() => expect(record.connected()).toEqual([]));
          record.resetMostLoginsAtOnce();
        },
      });
      // Asked as soon as the gateway is up, while most numbers are still waiting for their turn.
      const early = await first?.customer.call('GET', '/v1/instances');
      expect(early?.status).toBe(200);
      expect(early?.body.data.instances.map(({ status }: { status: string }) => status)).toContain('connecting');
      expect(record.connected().length).toBeLessThan(count);
      await expectAllBack();
      expect(record.mostLoginsAtOnce).toBeLessThanOrEqual(cap);
      expect(record.mostLoginsAtOnce).toBeGreaterThan(1);
      // Each logged in exactly once: no turn was lost, and nobody went round.
      expect(numbers.reduce((sum, number) => sum + record.logins(number), 0) - loginsBefore).toBe(count);
    },
    hangMs,
  );

  it(
    'neither is a network that drops them all at once, or restarts them',
    async () => {
      const { record, faults } = world.server;
      for (const how of [{ kind: 'drop' }, { kind: 'stream_error', code: 515 }] as const) {
        record.resetMostLoginsAtOnce();
        await Promise.all(numbers.map((number) => faults.end(number, how)));
        await expectAllBack();
        expect(record.mostLoginsAtOnce).toBeLessThanOrEqual(cap);
      }
      expect(record.logouts).toEqual([]);
    },
    hangMs,
  );
});
