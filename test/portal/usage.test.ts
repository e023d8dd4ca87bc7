import { beforeAll, describe, expect, it } from 'vitest';
import { messageTypes } from '../../src/kinds/index.ts';
import { outcome } from '../contract/outcome.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';

const hourMs = 60 * 60 * 1000;
const to = '491701234567';

describe('usage in the portal', () => {
  const clock = createManualClock(Date.UTC(2026, 2, 1, 23));
  let customer: Customer;
  let member: SignedIn;
  const { gateway } = useGateway({ overrides: { clock } });
  beforeAll(async () => {
    customer = await gateway.customer({ plan: await gateway.plan({ instanceLimit: 5, messagesPerMinute: 70, trialMessages: 9 }) });
    member = await memberOf(gateway, customer.accountId);
    const instance_id = await customer.linked('491710000901');
    for (const text of ['one two', 'three four']) expectOk(await customer.send('text', { instance_id, to, text }));
    // Midnight counts the number for the new day.
    await clock.advanceAsync(2 * hourMs);
    expectOk(await customer.send('location', { instance_id, to, latitude: 1, longitude: 2 }));
    expect((await customer.send('text', { instance_id, to: '491701230000', text: 'refused one' })).status).toBe(422);
  });
  const ask = (query = '', file = 'usage') => member.call('GET', `/portal/api/${file}${query}`);

  it('is told per day and kind, against the limits', async () => {
    expect(expectOk(await ask('?from=2026-02-28&to=2026-03-02')).body.data).toEqual({
      from: '2026-02-28',
      to: '2026-03-02',
      days: [
        { day: '2026-02-28', sends: 0, by_type: {}, number_days: 0 },
        { day: '2026-03-01', sends: 2, by_type: { text: 2 }, number_days: 1 },
        { day: '2026-03-02', sends: 1, by_type: { location: 1 }, number_days: 1 },
      ],
      totals: { sends: 3, by_type: { text: 2, location: 1 }, number_days: 2 },
      limits: {
        messages_per_minute: 70,
        instance_limit: 5,
        limit_source: 'plan',
        numbers: 1,
        trial_message_limit: 9,
        trial_used: 3,
      },
    });
  });

  it('is that of the last 30 days when nothing is said', async () => {
    const { from, to, days } = expectOk(await ask()).body.data;
    expect([from, to, days.length]).toEqual(['2026-02-01', '2026-03-02', 30]);
    expect(expectOk(await ask('?to=2026-01-30')).body.data).toMatchObject({ from: '2026-01-01', totals: { sends: 0, by_type: {} } });
    expect(expectOk(await ask('?from=2026-03-02')).body.data.days).toHaveLength(1);
  });

  it.each([
    ['?from=yesterday', 'from'],
    ['?to=2026-02-30', 'to'],
    ['?from=2026-03-02&to=2026-03-01', 'to'],
    ['?from=2025-01-01&to=2026-01-02', 'to'],
    ['?from=2026-01-01&from=2026-01-02', 'from'],
  ])('refuses the period %s', async (query, field) => {
    for (const file of ['usage', 'usage.csv']) expect(await ask(query, file)).toMatchObject(refusal(400, 'invalid_request', { field }));
  });

  it('reaches over a year', async () => {
    expect(expectOk(await ask('?from=2025-01-01&to=2026-01-01')).body.data.days).toHaveLength(366);
  });

  it('is a file of days and counts, nothing that a spreadsheet would calculate', async () => {
    const answer = await ask('?from=2026-03-01&to=2026-03-02', 'usage.csv');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="usage-2026-03-01-to-2026-03-02.csv"');
    const [head = [], first = [], second = [], ...rest] = (answer.body as string)
      .replace(/^\uFEFF/, '')
      .split('\r\n')
      .map((row) => row.split(','));
    expect(head).toEqual(['day', 'sends', 'number_days', ...messageTypes]);
    const row = (cells: string[]) => Object.fromEntries(head.map((name, i) => [name, cells[i]]));
    expect(row(first)).toMatchObject({ day: '2026-03-01', sends: '2', number_days: '1', text: '2', location: '0' });
    expect(row(second)).toMatchObject({ day: '2026-03-02', sends: '1', number_days: '1', text: '0', location: '1' });
    expect(rest).toEqual([['']]);
  });

  it('counts among the files that a person may export', async () => {
    const person = await memberOf(gateway, customer.accountId);
    for (let count = 0; count < 20; count++) expect((await person.call('GET', '/portal/api/usage.csv')).status).toBe(200);
    const details = { scope: 'exports', limit_per_minute: 20 };
    for (const file of ['usage.csv', 'keys.csv'])
      expect(await person.call('GET', `/portal/api/${file}`)).toMatchObject(refusal(429, 'rate_limit_exceeded', details));
  });

  it('comes by a plain link, which names the account in the address', async () => {
    const stranger = await gateway.customer();
    const link = (accountId: string) =>
      member.call('GET', `/portal/api/usage.csv?account_id=${accountId}`, { account: null, headers: { 'x-portal': undefined } });
    expect((await link(customer.accountId)).status).toBe(200);
    expect(outcome(await link(stranger.accountId))).toBe('403 forbidden');
  });
});
