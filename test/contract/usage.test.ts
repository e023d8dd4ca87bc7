import { describe, expect, it } from 'vitest';
import { utcDay } from '../../src/core/index.ts';
import { usage } from '../../src/usage/index.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';
import { outcome } from './outcome.ts';
import { many, validBodies } from './valid-bodies.ts';

const dayMs = 24 * 60 * 60 * 1000;
const minuteMs = 60 * 1000;

describe.each(storeKinds)('usage on %s', (kind) => {
  const clock = createManualClock();
  const { gateway, files } = useGateway({ store: kind, overrides: { clock } });

  const to = '491701234567';
  const today = () => utcDay(clock.now());
  const ofDays = (customer: Customer, from: string, to: string) => usage(gateway.app.store, customer.accountId, from, to);
  const ofToday = async (customer: Customer) => (await ofDays(customer, today(), today()))[0];

  it('counts accepted sends by type [usage.sends]', async () => {
    const customer = await gateway.customer({ plan: await gateway.plan() });
    const instance_id = await customer.linked();
    const bodies = Object.entries(validBodies(files.serve('/file')));
    await Promise.all(bodies.flatMap(([type, body], i) => many(i + 1, () => customer.send(type, { instance_id, to, ...body }))));
    const expected = Object.fromEntries(bodies.map(([type], i) => [type, i + 1]));
    expect((await ofToday(customer))?.byType).toEqual(expected);
  });

  it('counts neither what failed, nor replays, nor number checks; and a retry once [usage.sends]', async () => {
    const customer = await gateway.customer();
    const instance_id = await customer.linked();
    const text = { instance_id, to, text: 'Hello' };
    await customer.send('text', { ...text, text: '' });
    await customer.send('text', { ...text, to: '491701230000' });
    await customer.send('text', { ...text, to: '491701230001' });
    await customer.send('text', { ...text, to: '491701230004' });
    await customer.send('image', { instance_id, to, url: files.url('/missing') });
    await customer.call('POST', '/v1/numbers/check', { instance_id, numbers: [to] });
    expect((await ofToday(customer))?.byType).toEqual({});

    const headers = { 'idempotency-key': 'order-1042' };
    for (const expected of ['502 upstream_unavailable', '200', '200']) {
      expect(outcome(await customer.send('text', { ...text, to: '491701230004' }, headers))).toBe(expected);
    }
    expect((await ofToday(customer))?.byType).toEqual({ text: 1 });
  });

  it('is by UTC day, and each account’s own [usage.sends]', async () => {
    const customer = await gateway.customer();
    const stranger = await gateway.customer();
    const body = { instance_id: await customer.linked(), to, text: 'Hello' };
    const first = today();
    clock.advance(dayMs - (clock.now() % dayMs) - 1);
    await customer.send('text', body);
    clock.advance(1);
    await customer.send('text', body);
    await customer.send('text', body);
    const days = await ofDays(customer, first, today());
    expect(days.map(({ day, byType }) => [day, byType])).toEqual([
      [first, { text: 1 }],
      [today(), { text: 2 }],
    ]);
    expect(await ofDays(stranger, first, today())).toMatchObject([
      { sends: 0, numberDays: 0 },
      { sends: 0, numberDays: 0 },
    ]);
  });

  it('counts a number seen connected once a day, however often it reconnects or is linked again [usage.number-days]', async () => {
    const customer = await gateway.customer();
    const instance_id = await customer.linked('491710000100');
    expect((await ofToday(customer))?.numberDays).toBe(1);
    await gateway.restart();
    await waitFor(async () => expect((await customer.call('GET', '/v1/instances')).body.data.instances[0].connected).toBe(true));
    expect((await ofToday(customer))?.numberDays).toBe(1);

    // Deleting credits nothing back, and the same number on another instance costs nothing extra.
    await customer.call('DELETE', `/v1/instances/${instance_id}`);
    expect((await ofToday(customer))?.numberDays).toBe(1);
    await customer.linked('491710000100');
    expect((await ofToday(customer))?.numberDays).toBe(1);
    await customer.linked('491710000101');
    expect((await ofToday(customer))?.numberDays).toBe(2);
  });

  it('counts a number that stays connected on every day it does, and no other [usage.number-days]', async () => {
    const customer = await gateway.customer();
    const staying = await customer.linked('491710000100');
    const leaving = await customer.linked('491710000101');
    await customer.call('POST', '/v1/instances', {});
    const first = today();
    await customer.call('DELETE', `/v1/instances/${leaving}?logout_only=1`);
    clock.advance(dayMs);
    await clock.advanceAsync(minuteMs);
    await waitFor(async () => expect((await ofDays(customer, first, today())).map((day) => day.numberDays)).toEqual([2, 1]));
    await customer.call('DELETE', `/v1/instances/${staying}?logout_only=1`);
    const other = await gateway.customer();
    await other.linked();
    clock.advance(dayMs);
    await clock.advanceAsync(minuteMs);
    await waitFor(async () => expect((await ofToday(other))?.numberDays).toBe(1));
    expect((await ofToday(customer))?.numberDays).toBe(0);
  });
});
