import { beforeEach, describe, expect, it } from 'vitest';
import { newId, utcDay } from '../../src/core/index.ts';
import { usage } from '../../src/usage/index.ts';
import { type Customer, startGateway } from '../support/gateway.ts';
import { loseDiskAnswers } from '../support/lost-answers.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe.each(storeKinds)('number-days on %s', (kind) => {
  const clock = createManualClock(Date.UTC(2026, 2, 10, 23));
  let customer: Customer;
  const { gateway } = useGateway({ store: kind, overrides: { clock } });
  beforeEach(async () => {
    customer = await gateway.customer();
  });
  /** The last days' counts, today's last. */
  const numberDays = async (days = 1, of = customer) => {
    const from = utcDay(clock.now() - (days - 1) * dayMs);
    return (await usage(gateway.app.store, of.accountId, from, utcDay(clock.now()))).map((day) => day.numberDays);
  };
  const disconnect = (id: string, query = '?logout_only=true') => customer.call('DELETE', `/v1/instances/${id}${query}`);
  const pairAgain = async (id: string, phone_number: string) => {
    const { code } = (await customer.call('GET', `/v1/instances/${id}/qr`)).body.data.qrcode;
    await customer.call('POST', '/sandbox/scan', { code, phone_number });
    await customer.reaches(id, 'open');
  };
  const tilNextDay = () => dayMs - (clock.now() % dayMs);

  it('count a number once a day, however often it reconnects, is deleted, or moves to another instance [slot.same-number]', async () => {
    expect(await numberDays()).toEqual([0]);
    const id = await customer.linked('491710001000');
    expect(await numberDays()).toEqual([1]);
    await disconnect(id);
    await pairAgain(id, '491710001000');
    await gateway.restart();
    await customer.reaches(id, 'open');
    expect(await numberDays()).toEqual([1]);
    await disconnect(id, '');
    // Nothing is credited back, and the same number costs nothing extra.
    expect(await numberDays()).toEqual([1]);
    await customer.linked('491710001000');
    expect(await numberDays()).toEqual([1]);
    await customer.linked('491710001001');
    expect(await numberDays()).toEqual([2]);
  });

  it('count the new day of numbers that are connected within a minute of a calendar that is set past midnight [usage.number-days]', async () => {
    await customer.linked('491710001005');
    await customer.linked('491710001006');
    clock.setCalendar(dayMs);
    await clock.advanceAsync(60_000);
    await waitFor(async () => expect(await numberDays(2)).toEqual([2, 2]));
    clock.setCalendar(-dayMs);
    await clock.advanceAsync(60_000);
    expect(await numberDays()).toEqual([2]);
    // The day comes once more and costs nothing more.
    await clock.advanceAsync(tilNextDay());
    await waitFor(async () => expect(await numberDays(2)).toEqual([2, 2]));
  });

  it('count the day of a number that connected while the calendar was wrong, also when another connects first afterwards [usage.number-days]', async () => {
    await gateway.restart();
    clock.setCalendar(-dayMs);
    await customer.linked('491710001008');
    clock.setCalendar(dayMs);
    await customer.linked('491710001009');
    expect(await numberDays(2)).toEqual([1, 1]);
    await clock.advanceAsync(60_000);
    await waitFor(async () => expect(await numberDays(2)).toEqual([1, 2]));
  });

  it('count a number for each account it is connected on [usage.number-days]', async () => {
    const other = await gateway.customer();
    await customer.linked('491710001002');
    await other.linked('491710001002');
    expect([await numberDays(), await numberDays(1, other)]).toEqual([[1], [1]]);
  });

  it('count a number that stays connected over midnight (UTC) for each day, and one that does not only for its own [usage.number-days]', async () => {
    await customer.linked('491710001003');
    const away = await customer.linked('491710001004');
    await disconnect(away);
    clock.setCalendar(tilNextDay() - 60_000);
    await clock.advanceAsync(59_999);
    expect(await numberDays()).toEqual([2]);
    await clock.advanceAsync(1);
    await waitFor(async () => expect(await numberDays(2)).toEqual([2, 1]));
    // Another day, most of it at once.
    clock.setCalendar(dayMs - 60_000);
    await clock.advanceAsync(60_000);
    await waitFor(async () => expect(await numberDays(3)).toEqual([2, 1, 1]));
    await pairAgain(away, '491710001004');
    expect(await numberDays(3)).toEqual([2, 1, 2]);
  });
});

describe('a midnight with many numbers', () => {
  const numbers = 200;

  it('waits for the disk once or twice, not once for each of them', async () => {
    const clock = createManualClock(Date.UTC(2026, 2, 10, 23));
    const network = new ScriptedNetwork();
    network.onOpen = (link) => link.opens(`4917200${link.context.instanceId.slice(-12).replaceAll(/[a-f]/g, '7')}`);
    const disk = loseDiskAnswers();
    const gateway = await startGateway('sqlite', {
      env: { DATABASE_DURABILITY: 'full' },
      overrides: { clock, random: () => 0, networks: () => [network] },
    });
    try {
      const { accountId } = await gateway.customer();
      await gateway.restart({ whileDown: (store) => store.db.insertInto('instances').values(linkedInstances(accountId)).execute() });
      await waitFor(() => expect(gateway.app.sessions.all().filter(({ status }) => status === 'open')).toHaveLength(numbers));
      const counted = async () => (await gateway.app.store.db.selectFrom('usage_number_days').select('day').execute()).length;
      expect(await counted()).toBe(numbers);
      const before = disk.synced;
      await clock.advanceAsync(2 * 60 * 60_000);
      await waitFor(async () => expect(await counted()).toBe(2 * numbers));
      expect(disk.synced - before).toBeLessThanOrEqual(2);
    } finally {
      await gateway.stop();
      await disk.close();
    }
  });

  function linkedInstances(account_id: string) {
    return Array.from({ length: numbers }, () => ({
      id: newId(),
      account_id,
      network: 'sandbox',
      label: null,
      phone_number: null,
      linked: 1,
      conflict: 0,
      created_at: 0,
    }));
  }
});
