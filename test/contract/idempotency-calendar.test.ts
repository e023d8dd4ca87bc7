import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { followClock } from '../support/database-clock.ts';
import { type Answer, type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { outcome } from './outcome.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const headers = { 'idempotency-key': 'order-1042' };
const to = '491701234567';

describe.each(storeKinds)('an Idempotency-Key when the calendar is set on %s', (kind) => {
  let clock: ManualClock;
  let gateway: TestGateway;
  let customer: Customer;
  let body: object;
  beforeEach(async () => {
    clock = createManualClock();
    gateway = await startGateway(kind, { overrides: { clock } });
    customer = await gateway.customer();
    body = { instance_id: await customer.linked(), to, text: 'x' };
    expect(await send()).toBe('200 false');
  });
  afterEach(() => gateway.stop());

  const said = (answer: Answer) => `${outcome(answer)} ${answer.headers.get('idempotency-replayed')}`;
  const send = async () => said(await customer.send('text', body, headers));
  const kept = async () => {
    const { db } = gateway.app.store;
    return [
      (await db.selectFrom('claims').select('id').execute()).length,
      (await db.selectFrom('sandbox_messages').select('id').execute()).length,
      (await db.selectFrom('requests').select('id').execute()).length > 0,
    ];
  };
  /** Lets some rounds of what deletes old things run. */
  const sweeps = async () => {
    for (let i = 0; i < 5; i++) await clock.advanceAsync(minuteMs);
  };

  it('is remembered while the calendar is ahead for a moment, by days or by months [idem.stored]', async () => {
    await waitFor(async () => expect(await kept()).toEqual([1, 1, true]));
    for (const ahead of [25 * hourMs, 60 * 24 * hourMs]) {
      clock.setCalendar(ahead);
      expect(await send()).toBe('200 true');
      await sweeps();
      expect(await kept()).toEqual([1, 1, true]);
      expect(await send()).toBe('200 true');
      clock.setCalendar(-ahead);
      expect(await send()).toBe('200 true');
    }
    expect(await customer.received(to)).toHaveLength(1);
  });

  it('is remembered over a restart while the calendar is ahead', async () => {
    clock.setCalendar(25 * hourMs);
    await gateway.restart();
    expect(await send()).toBe('200 true');
    await sweeps();
    expect(await send()).toBe('200 true');
    clock.setCalendar(-25 * hourMs);
    expect(await send()).toBe('200 true');
    expect(await customer.received(to)).toHaveLength(1);
  });

  it('is remembered for its 24 hours when the calendar is set back', async () => {
    clock.setCalendar(-hourMs);
    clock.advance(24 * hourMs - minuteMs);
    expect(await send()).toBe('200 true');
    expect(await customer.received(to)).toHaveLength(1);
  });

  it('is remembered for its 24 hours when it came while the calendar was a day behind, over a restart too [idem.stored]', async () => {
    clock.setCalendar(-24 * hourMs);
    const late = { ...headers, 'idempotency-key': 'order-1043' };
    const sendLate = async () => said(await customer.send('text', body, late));
    expect(await sendLate()).toBe('200 false');
    await gateway.restart();
    clock.advance(hourMs);
    expect(await sendLate()).toBe('200 true');
    clock.setCalendar(24 * hourMs);
    clock.advance(2 * hourMs);
    await sweeps();
    expect(await sendLate()).toBe('200 true');
    expect(await customer.received(to)).toHaveLength(2);
  });

  it('is remembered for its 24 hours when it came in the hour after the machine was off for days [idem.stored]', async () => {
    await gateway.restart({
      async whileDown() {
        clock.setCalendar(3 * 24 * hourMs);
      },
    });
    const fresh = { ...headers, 'idempotency-key': 'order-1044' };
    const sendFresh = async () => said(await customer.send('text', body, fresh));
    expect(await sendFresh()).toBe('200 false');
    clock.advance(2 * hourMs);
    await sweeps();
    expect(await sendFresh()).toBe('200 true');
    clock.advance(22 * hourMs);
    await followClock(gateway.app.store, clock);
    expect(await sendFresh()).toBe('200 false');
  });

  it('is not remembered for longer when it came while the calendar was ahead for a moment [idem.stored]', async () => {
    clock.setCalendar(60 * 24 * hourMs);
    const early = { ...headers, 'idempotency-key': 'order-1045' };
    const sendEarly = async () => said(await customer.send('text', body, early));
    expect(await sendEarly()).toBe('200 false');
    clock.setCalendar(-60 * 24 * hourMs);
    await sweeps();
    expect(await sendEarly()).toBe('200 true');
    clock.advance(24 * hourMs);
    await followClock(gateway.app.store, clock);
    expect(await sendEarly()).toBe('200 false');
  });

  // PostgreSQL judges by its own calendar.
  if (kind === 'sqlite') {
    it('is forgotten when the calendar has stayed ahead for an hour [idem.stored]', async () => {
      clock.setCalendar(25 * hourMs);
      expect(await send()).toBe('200 true');
      await clock.advanceAsync(hourMs - 1);
      expect(await send()).toBe('200 true');
      await clock.advanceAsync(1);
      expect(await send()).toBe('200 false');
      expect(await customer.received(to)).toHaveLength(2);
    });
  }
});
