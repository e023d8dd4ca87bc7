import { expect, it } from 'vitest';
import { chosenSeed, createSeeded } from '../faults/seeded.ts';
import { fillTables, readColumnTypes, rowsOf } from '../support/full-tables.ts';
import type { Customer } from '../support/gateway.ts';
import { startMoving } from '../support/moving.ts';
import { rounds } from '../support/run-options.ts';
import { createTestDatabase } from '../support/stores.ts';
import { startWhatsAppWorld } from '../support/whatsapp-gateway.ts';

const numbers = rounds({ short: 4, long: 200 });
const records = rounds({ short: 3_000, long: 100_000 });
const numbersPerCustomer = 40;
const longMs = rounds({ short: 60_000, long: 900_000 });

it(`${numbers} linked numbers and ${records} records come to PostgreSQL by gateway move, interrupted twice, without a scan`, {
  timeout: longMs,
}, async () => {
  const seeded = createSeeded(chosenSeed());
  const migrated = await createTestDatabase('postgres');
  const types = await readColumnTypes(migrated.location);
  await migrated.dispose();
  const target = await createTestDatabase('postgres', { empty: true });
  const world = await startWhatsAppWorld({ store: 'sqlite' });
  try {
    const customers: { customer: Customer; ids: string[] }[] = [];
    for (let left = numbers; left > 0; left -= numbersPerCustomer) {
      const customer = await world.gateway.customer();
      const ids: string[] = [];
      for (let number = 0; number < Math.min(left, numbersPerCustomer); number++) {
        ids.push(await world.linkedNumber(world.somebody().number, customer));
      }
      customers.push({ customer, ids });
    }
    const recipient = world.somebody();
    const headers = (id: string) => ({ 'idempotency-key': `moved-${id}` });
    const body = (id: string) => ({ instance_id: id, to: recipient.number, text: `from ${id}` });
    const answers = new Map<string, string>();
    for (const { customer, ids } of customers) {
      for (const id of ids) {
        const answer = await customer.send('text', body(id), headers(id));
        expect(answer.status).toBe(200);
        answers.set(id, answer.body.data.message_id);
      }
    }

    await world.gateway.restart({
      env: { DATABASE_URL: target.location },
      whileDown: async () => {
        fillTables(world.gateway.dataDir, types, (table) =>
          ['claims', 'audit_log', 'requests'].includes(table) ? Math.ceil(records / 3) : 0,
        );
        const moving = await startMoving(world.gateway.dataDir, target.location);
        try {
          // The bytes that are sent are about those of the rows.
          const begun = performance.now();
          const size = records * 100;
          await moving.killAfter(Math.floor(size * (0.2 + 0.3 * seeded.next())));
          await moving.killAfter(Math.floor(size * (0.2 + 0.3 * seeded.next())));
          const { code, stdout, stderr } = await moving.run();
          expect([code, stderr], `seed ${seeded.seed}`).toEqual([0, '']);
          expect(stdout).toContain('every table was compared');
          if (numbers > 100) process.stdout.write(`${stdout}${((performance.now() - begun) / 1000).toFixed(1)} s in all\n`);
        } finally {
          await moving.close();
        }
      },
    });

    expect(world.gateway.app.store.dialect).toBe('postgres');
    const [counted] = await rowsOf(target.location, 'select count(*)::integer as records from audit_log');
    expect(counted?.records).toBeGreaterThanOrEqual(Math.ceil(records / 3));
    for (const { customer, ids } of customers) {
      for (const id of ids) {
        await customer.reaches(id, 'open');
        const replayed = await customer.send('text', body(id), headers(id));
        expect([replayed.status, replayed.headers.get('idempotency-replayed'), replayed.body.data.message_id]).toEqual([
          200,
          'true',
          answers.get(id),
        ]);
        const sent = await customer.send('text', { ...body(id), text: `from ${id} on PostgreSQL` });
        expect(sent.status).toBe(200);
      }
    }
  } finally {
    await world.close();
    await target.dispose();
  }
});
