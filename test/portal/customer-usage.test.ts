import { beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { messageTypes } from '../../src/kinds/index.ts';
import { addSends } from '../../src/store/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';

const path = '/portal/api/operator/usage';

describe.each(storeKinds)('usage across customers on %s', (kind) => {
  const clock = createManualClock(Date.UTC(2026, 10, 20, 12));
  let boss: SignedIn;
  let admin: SignedIn & { providerId: string };
  const ids: Record<string, string> = {};
  const { gateway } = useGateway({ store: kind, overrides: { clock } });
  beforeAll(async () => {
    boss = await operator(gateway);
    admin = await providerAdmin(gateway);
    const { store } = gateway.app;
    const make = async (name: string, terms: object) => {
      const { id } = await createAccount(store, { name, providerId: admin.providerId, ...terms }, at(clock.now()));
      ids[name] = id;
      return id;
    };
    const alpha = await make('Alpha', { plan: 'starter', reference: 'C-1' });
    const beta = await make('=cmd|beta', { plan: 'trial' });
    await make('Gamma 10', { instanceLimit: 7 });
    await make('Gamma 9', {});
    const other = (await createAccount(store, { name: 'Other', plan: 'scale' }, at(clock.now()))).id;
    const sends = (accountId: string, day: string, type: string, count: number) => addSends(store.db, { accountId, day, type, count });
    await sends(alpha, '2026-09-30', 'text', 1000);
    await sends(alpha, '2026-10-01', 'text', 10);
    await sends(alpha, '2026-11-01', 'text', 3);
    await sends(alpha, '2026-11-20', 'text', 4);
    await sends(alpha, '2026-11-20', 'image', 2);
    await sends(beta, '2026-11-05', 'poll', 30);
    await sends(other, '2026-11-05', 'text', 500);
    const seen = (accountId: string, day: string, phoneNumber: string) => store.hot.seeNumber({ accountId, day, phoneNumber });
    await seen(alpha, '2026-10-31', '1');
    await seen(alpha, '2026-11-01', '1');
    await seen(alpha, '2026-11-01', '2');
    await seen(beta, '2026-11-05', '3');
  });

  const ask = (query = '', by: SignedIn = admin) => by.call('GET', path + query);
  const names = async (query: string): Promise<string[]> =>
    expectOk(await ask(query)).body.data.accounts.map(({ name }: { name: string }) => name);

  it('is that of this month for every account of the provider, against what each may use', async () => {
    const { data } = expectOk(await ask()).body;
    expect(data).toEqual({
      from: '2026-11-01',
      to: '2026-11-20',
      total: 4,
      page: 1,
      page_size: 50,
      totals: { sends: 39, by_type: { text: 7, image: 2, poll: 30 }, number_days: 3 },
      months: [{ month: '2026-11', sends: 39, number_days: 3 }],
      accounts: [
        {
          account_id: ids['=cmd|beta'],
          name: '=cmd|beta',
          reference: null,
          provider_name: expect.any(String),
          status: 'active',
          plan_name: 'trial',
          sends: 30,
          by_type: { poll: 30 },
          number_days: 1,
          numbers: 0,
          instance_limit: 1,
          messages_per_minute: 30,
          trial_message_limit: 100,
          trial_used: 0,
        },
        expect.objectContaining({
          name: 'Alpha',
          reference: 'C-1',
          sends: 9,
          by_type: { text: 7, image: 2 },
          number_days: 2,
          instance_limit: 3,
          messages_per_minute: 60,
          trial_message_limit: null,
        }),
        // Nothing used is a line too, and numbers in names count as numbers.
        expect.objectContaining({ name: 'Gamma 9', sends: 0, by_type: {}, number_days: 0, instance_limit: 0, messages_per_minute: null }),
        expect.objectContaining({ name: 'Gamma 10', instance_limit: 7 }),
      ],
    });
  });

  it('is told month by month for a longer time', async () => {
    const { data } = expectOk(await ask('?from=2026-10-01&to=2026-11-30')).body;
    expect(data.months).toEqual([
      { month: '2026-10', sends: 10, number_days: 1 },
      { month: '2026-11', sends: 39, number_days: 3 },
    ]);
    expect(data.totals).toEqual({ sends: 49, by_type: { text: 17, image: 2, poll: 30 }, number_days: 4 });
  });

  it('comes in the order that was asked for, of those that fit, page by page', async () => {
    expect(await names('?order=sends&descending=true')).toEqual(['=cmd|beta', 'Alpha', 'Gamma 9', 'Gamma 10']);
    expect(await names('?order=number_days&descending=true')).toEqual(['Alpha', '=cmd|beta', 'Gamma 9', 'Gamma 10']);
    expect(await names('?order=name&descending=true')).toEqual(['Gamma 10', 'Gamma 9', 'Alpha', '=cmd|beta']);
    expect(await names('?order=plan')).toEqual(['Gamma 9', 'Gamma 10', 'Alpha', '=cmd|beta']);
    expect(await names('?search=gamma')).toEqual(['Gamma 9', 'Gamma 10']);
    expect(await names('?search=c-1')).toEqual(['Alpha']);
    expect(await names(`?search=${ids.Alpha}`)).toEqual(['Alpha']);
    expect(await names('?page=2')).toEqual([]);
  });

  it('is of all for an operator, and of one provider where that is asked for', async () => {
    const all = expectOk(await ask('', boss)).body.data;
    expect(all).toMatchObject({ total: 5, totals: { sends: 539 } });
    expect(expectOk(await ask('?provider_id=default', boss)).body.data).toMatchObject({ total: 1, totals: { sends: 500 } });
    expect(outcome(await ask('?provider_id=default'))).toBe('404 not_found');
    expect(JSON.stringify(expectOk(await ask()).body)).not.toContain('Other');
  });

  it('is a table for a spreadsheet, in which no name is a formula', async () => {
    const answer = await admin.call('GET', `${path}.csv?from=2026-10-01&to=2026-11-20`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="usage-of-accounts-2026-10-01-to-2026-11-20.csv"');
    const lines = (answer.body as string)
      .replace(/^\uFEFF/, '')
      .trimEnd()
      .split('\r\n');
    const kinds = (counts: Record<string, number>) => messageTypes.map((type) => counts[type] ?? 0).join(',');
    expect(lines).toHaveLength(1 + 4 * 2);
    expect(lines[0]).toBe(
      `month,account_id,account,reference,provider,status,plan,sends,number_days,numbers_now,numbers_allowed,messages_per_minute,trial_used,trial_message_limit,${messageTypes.join()}`,
    );
    expect(lines[2]).toMatch(
      new RegExp(`^2026-11,${ids['=cmd|beta']},'=cmd\\|beta,,[^,]*,active,trial,30,1,0,1,30,0,100,${kinds({ poll: 30 })}$`),
    );
    expect(lines[3]).toMatch(new RegExp(`^2026-10,${ids.Alpha},Alpha,C-1,[^,]*,active,starter,10,1,0,3,60,,,${kinds({ text: 10 })}$`));
  });

  it('as a table counts among the files that a person may export', async () => {
    const person = await operator(gateway);
    const table = () => person.call('GET', `${path}.csv`);
    for (let count = 0; count < 20; count++) expect((await table()).status).toBe(200);
    expect(await table()).toMatchObject(refusal(429, 'rate_limit_exceeded', { scope: 'exports', limit_per_minute: 20 }));
  });

  it.each([
    ['?from=2026-13-01', 'from'],
    ['?from=2026-11-02&to=2026-11-01', 'to'],
    ['?from=2025-01-01&to=2026-11-01', 'to'],
    ['?order=colour', 'order'],
    ['?page=0', 'page'],
    ['?descending=yes', 'descending'],
  ])('a question that makes no sense is refused: %s', async (query, field) => {
    expect(await ask(query)).toMatchObject(refusal(400, 'invalid_request', { field }));
  });
});
