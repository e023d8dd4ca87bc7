import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateAccount, updateProvider } from '../../src/accounts/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import { auditOf } from '../support/audit.ts';
import { openStream } from '../support/event-stream.ts';
import type { Answer, Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { type Browser, expectOk, memberOf, openBrowser, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';
import { foreignTable, type Row } from './foreign-table.ts';
import { makeObjects } from './foreign-world.ts';

const suspended = '403 account_suspended';

/** What changes something and stays possible: each is about the person alone, their sign-in or the language of their pages, and concerns no account. */
const theirOwn = /^(DELETE \/portal\/api\/browsers\/|PUT \/portal\/api\/language$|POST \/portal\/auth\/(change-password|two-factor\/))/;
/** What only shows something. Asking for the QR code begins a pairing attempt. */
const looks = ({ route }: Row) => route.startsWith('GET ') && route !== 'GET /v1/instances/:id/qr';

const told = (answer: Answer): string =>
  answer.headers.get('content-type')?.startsWith('application/json') === true ? outcome(answer) : String(answer.status);

describe('a suspended account', () => {
  const clock = createManualClock();
  let objects: Awaited<ReturnType<typeof makeObjects>>;
  let boss: SignedIn;
  const { gateway, files } = useGateway({ overrides: { clock } });
  beforeAll(async () => {
    objects = await makeObjects(gateway, files, 'ours', 1);
    boss = await operator(gateway);
  });
  // Budgets per minute go with the clock.
  beforeEach(() => clock.advance(60_000));

  const ask = (browser: Browser, { route, path, body }: Row) =>
    browser.call(route.slice(0, route.indexOf(' ')), path, body === undefined ? {} : { body });
  /** Every endpoint that takes a session, about the account's own objects. foreign-objects.test.ts shows that none is left out. */
  const table = () => foreignTable(objects.objects, objects.objects, files.serve('/file'));
  const suspend = (by: Browser, status: 'suspended' | 'active') =>
    by.call('PATCH', `/portal/api/operator/accounts/${objects.objects.accountId}`, { body: { status } });

  describe.each([
    ['the account', (status: 'active' | 'suspended') => suspend(boss, status)],
    [
      'its provider',
      (status: 'active' | 'suspended') =>
        boss.call('PATCH', `/portal/api/operator/providers/${objects.objects.providerId}`, { body: { status } }),
    ],
  ])('where %s is suspended', (_, set) => {
    beforeAll(async () => void expectOk(await set('suspended')));
    afterAll(async () => void expectOk(await set('active')));

    it.each(['owner', 'member'] as const)(
      'lets its %s change nothing, at whatever endpoint, and sends no mail [suspended.people suspended.change]',
      async (role) => {
        const person = await memberOf(gateway, objects.objects.accountId, role);
        person.account = objects.objects.accountId;
        for (const row of table()) {
          if (looks(row) || theirOwn.test(row.route)) continue;
          const expected = row[role] === '403 forbidden' ? '403 forbidden' : suspended;
          expect([row.route, told(await ask(person, row))]).toEqual([row.route, expected]);
        }
      },
    );

    it('lets its people look at everything, keep their own sign-in safe, and choose their language [suspended.people suspended.look]', async () => {
      const person = await memberOf(gateway, objects.objects.accountId, 'owner');
      person.account = objects.objects.accountId;
      for (const row of table()) {
        if (row.streams) continue;
        if (looks(row) || theirOwn.test(row.route)) expect([row.route, told(await ask(person, row))]).not.toEqual([row.route, suspended]);
      }
      const numbers = expectOk(await person.call('GET', '/v1/instances')).body.data.instances;
      expect(numbers).toContainEqual(expect.objectContaining({ instance_id: objects.objects.instanceId, status: 'open' }));
      const stream = await openStream(gateway, person);
      expect((await stream.next()).event).toBe('reset');
      stream.close();
      const newPassword = 'a password chosen while suspended';
      gateway.secrets.add('a password', newPassword);
      const body = { currentPassword: person.password, newPassword };
      expect(outcome(await person.call('POST', '/portal/auth/change-password', { body }))).toBe('200');
    });

    it('is closed to its keys, also for looking [suspended.people]', async () => {
      for (const row of table().filter(({ route }) => /^\w+ \/(v1|sandbox)\//.test(route))) {
        const [method = ''] = row.route.split(' ');
        expect([row.route, told(await objects.customer.call(method, row.path, row.body))]).toEqual([row.route, suspended]);
      }
    });

    it("lets its provider's admin look, and change nothing at the account [suspended.change]", async () => {
      const { admin } = objects;
      admin.account = objects.objects.accountId;
      const { accountId: account_id, ownerId } = objects.objects;
      const email = 'guest@example.com';
      const acts: [string, string, object?][] = [
        ['PATCH', `/portal/api/operator/accounts/${account_id}`, { status: 'active' }],
        ['PATCH', `/portal/api/operator/accounts/${account_id}`, { name: 'Another name' }],
        ['POST', '/portal/api/operator/invitations', { email, role: 'owner', account_id }],
        ['DELETE', `/portal/api/operator/invitations/${objects.objects.invitationId}`],
        ['POST', `/portal/api/operator/users/${ownerId}/password-reset`, {}],
        ['DELETE', `/portal/api/operator/users/${ownerId}/memberships`, { role: 'owner', account_id }],
        ['POST', '/portal/api/members', { email, role: 'member' }],
        ['POST', '/portal/api/keys', {}],
      ];
      for (const [method, path, body] of acts) {
        const answer = await admin.call(method, path, body === undefined ? {} : { body });
        expect([method, path, told(answer)]).toEqual([method, path, suspended]);
      }
      expect(told(await admin.call('GET', `/portal/api/operator/accounts/${account_id}`))).toBe('200');
      expect(told(await admin.call('GET', '/portal/api/members'))).toBe('200');
    });
  });

  it('takes in nobody whom its people invited before, until it is resumed; whom an operator invites, it does [suspended.people]', async () => {
    const { owner, admin } = objects;
    const { accountId: account_id, providerId: provider_id } = objects.objects;
    const body = (role: string) => ({ email: `late-${role}@example.com`, role });
    const linkOf = (answer: Answer): string => {
      const token: string = expectOk(answer).body.data.link.split('/').at(-1);
      gateway.secrets.add('the token of a link', token);
      return `/portal/api/links/${token}`;
    };
    const invite = (by: Browser, to: object) => by.call('POST', '/portal/api/operator/invitations', { body: to });
    const visitor = () => openBrowser(gateway);
    const use = async (path: string) =>
      outcome(await visitor().call('POST', path, { body: { name: 'Late', password: 'a password of mine' } }));

    const byOwner = linkOf(await owner.call('POST', '/portal/api/members', { body: body('member') }));
    const byAdmin = linkOf(await invite(admin, { ...body('provider_admin'), provider_id }));
    expectOk(await boss.call('PATCH', `/portal/api/operator/providers/${provider_id}`, { body: { status: 'suspended' } }));
    expect([await use(byOwner), await use(byAdmin)]).toEqual([suspended, suspended]);
    expect(outcome(await visitor().call('GET', byOwner))).toBe('200');
    expect(await use(linkOf(await invite(boss, { ...body('owner'), account_id })))).toBe('200');
    expectOk(await boss.call('PATCH', `/portal/api/operator/providers/${provider_id}`, { body: { status: 'active' } }));
    expect([await use(byOwner), await use(byAdmin)]).toEqual(['200', '200']);
  });

  it("may be resumed by its provider's admin when the provider suspended it, and then by an operator too [suspended.operator]", async () => {
    const { admin } = objects;
    const state = async () => {
      const { data } = expectOk(await boss.call('GET', `/portal/api/operator/accounts/${objects.objects.accountId}`)).body;
      return [data.status, data.suspended_by];
    };
    expectOk(await suspend(admin, 'suspended'));
    expect(await state()).toEqual(['suspended', 'provider']);
    expectOk(await suspend(admin, 'active'));
    expect(await state()).toEqual(['active', null]);
    expectOk(await suspend(admin, 'suspended'));
    expectOk(await suspend(boss, 'active'));
    expect(await state()).toEqual(['active', null]);
  });

  it("may not be resumed by its provider's admin when an operator suspended it, before the provider or after [suspended.operator]", async () => {
    const { admin } = objects;
    expectOk(await suspend(admin, 'suspended'));
    // The operator's word is noted although the account is suspended already.
    const rows = await auditOf(gateway.app.store, async () => expectOk(await suspend(boss, 'suspended')));
    expect(rows.map(({ action, details }) => [action, details])).toEqual([
      ['account.update', { suspended_by: { from: 'provider', to: 'operator' } }],
    ]);
    for (const status of ['active', 'suspended'] as const) expect(outcome(await suspend(admin, status))).toBe(suspended);
    expectOk(await suspend(boss, 'active'));
    // As the command line does it.
    const { store } = gateway.app;
    await updateAccount(store, objects.objects.accountId, { status: 'suspended' }, at(clock.now()));
    expect(outcome(await suspend(admin, 'active'))).toBe(suspended);
    expectOk(await suspend(boss, 'active'));
  });

  it('is not a way around for the admin of another provider too: only the suspended one is closed', async () => {
    const admin = await providerAdmin(gateway);
    const second = await providerAdmin(gateway);
    const { db } = gateway.app.store;
    const membership = { id: 'second', user_id: admin.userId, role: 'provider_admin', account_id: null, created_at: 1 } as const;
    await db
      .insertInto('memberships')
      .values({ ...membership, provider_id: second.providerId })
      .execute();
    const customers: Customer[] = [];
    for (const providerId of [admin.providerId, second.providerId]) customers.push(await gateway.customer({ providerId }));
    await updateProvider(gateway.app.store, admin.providerId, { status: 'suspended' }, at(clock.now()));
    const rename = async (customer: Customer | undefined) =>
      outcome(await admin.call('PATCH', `/portal/api/operator/accounts/${customer?.accountId}`, { body: { name: 'Renamed' } }));
    const create = async (provider_id: string) =>
      outcome(await admin.call('POST', '/portal/api/operator/accounts', { body: { name: 'New', provider_id } }));
    const inviteTo = async (provider_id: string) => {
      const body = { email: 'colleague@example.com', role: 'provider_admin', provider_id };
      const answer = await admin.call('POST', '/portal/api/operator/invitations', { body });
      if (answer.status === 200) gateway.secrets.add('the token of a link', answer.body.data.link.split('/').at(-1));
      return outcome(answer);
    };
    expect([await rename(customers[0]), await create(admin.providerId), await inviteTo(admin.providerId)]).toEqual([
      suspended,
      suspended,
      suspended,
    ]);
    expect([await rename(customers[1]), await create(second.providerId), await inviteTo(second.providerId)]).toEqual(['200', '200', '200']);
  });
});
