import { beforeAll, describe, expect, it } from 'vitest';
import { updateAccount } from '../../src/accounts/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import { openStream } from '../support/event-stream.ts';
import type { Answer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { type Browser, expectOk, openBrowser, operator } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';
import { foreignTable, type Row, withoutSession } from './foreign-table.ts';
import { everythingOf, makeObjects, makeStrangers, nothing, type Objects, type Strangers } from './foreign-world.ts';

const roles = ['member', 'owner', 'admin'] as const;
type Role = (typeof roles)[number];

/** In short; also of what is no JSON. */
const told = (answer: Answer): string =>
  answer.headers.get('content-type')?.startsWith('application/json') === true ? outcome(answer) : String(answer.status);
const textOf = ({ body }: Answer): string => (typeof body === 'string' ? body : JSON.stringify(body));

describe('what belongs to others', () => {
  const clock = createManualClock();
  const routes = new Set<string>();
  let own: Awaited<ReturnType<typeof makeObjects>>;
  let foreign: Awaited<ReturnType<typeof makeObjects>>;
  let people: Strangers;
  let before: string;
  const { gateway, files } = useGateway({
    overrides: {
      clock,
      onRoute({ method, url }) {
        for (const one of [method].flat()) routes.add(`${one} ${url}`);
      },
    },
  });
  beforeAll(async () => {
    own = await makeObjects(gateway, files, 'ours', 1);
    foreign = await makeObjects(gateway, files, 'theirs', 2);
    people = await makeStrangers(gateway, own);
    // The history of their number is written a little later.
    const { instanceId } = foreign.objects;
    await waitFor(async () => {
      await clock.advanceAsync(500);
      const { state_event } = await gateway.app.store.db
        .selectFrom('instances')
        .where('id', '=', instanceId)
        .select('state_event')
        .executeTakeFirstOrThrow();
      expect(state_event).toBe('linked');
    });
    before = await everythingOf(gateway, foreign.objects);
  });

  const table = (of: Objects): readonly Row[] => foreignTable(of, own.objects, files.serve('/file'));
  const ask = (browser: Browser, row: Row, call: Parameters<Browser['call']>[2] = {}) =>
    browser.call(row.route.slice(0, row.route.indexOf(' ')), row.path, { ...(row.body === undefined ? {} : { body: row.body }), ...call });
  /** What of the foreign account an answer tells that was not in the question. */
  const leaks = (answer: Answer, row: Row): string[] => {
    const said = textOf(answer);
    const asked = row.path + JSON.stringify(row.body ?? {});
    return Object.entries(foreign.objects)
      .filter(([name]) => name !== 'planId' && name !== 'planName')
      .filter(([, value]) => said.includes(value) && !asked.includes(value) && !asked.includes(encodeURIComponent(value)))
      .map(([name]) => `${row.route} tells ${name}`);
  };

  it('the table has every route of the server that takes a session', () => {
    const listed = new Set(table(foreign.objects).map(({ route }) => route));
    const known = (route: string) => listed.has(route) || withoutSession.some(([, others]) => others.test(route));
    // HEAD is answered by what answers GET, with the same checks before it.
    expect([...routes].map((route) => route.replace(/^HEAD /, 'GET ')).filter((route) => !known(route))).toEqual([]);
    expect([...listed].filter((route) => !routes.has(route))).toEqual([]);
    // Fewer would mean that the server's routes were not heard of.
    expect(routes.size).toBeGreaterThan(100);
  });

  it('without a session everything is refused, whatever else is brought along', async () => {
    const forged = openBrowser(gateway);
    forged.cookies.set('gateway.session_token', 'abcdefghijklmnopqrstuvwxyzabcdef.c2lnbmF0dXJl');
    const refusals: [Browser, Record<string, string>, string][] = [
      [openBrowser(gateway), {}, '401 missing_session'],
      [forged, {}, '401 invalid_session'],
    ];
    for (const [browser, headers, expected] of refusals) {
      for (const account of [null, foreign.objects.accountId]) {
        const answers = table(foreign.objects).map(async (row) => [row.route, told(await ask(browser, row, { account, headers }))]);
        expect(await Promise.all(answers)).toEqual(table(foreign.objects).map(({ route }) => [route, expected]));
      }
    }
    // A key opens the API alone.
    for (const row of table(foreign.objects).filter(({ route }) => route.includes('/portal/'))) {
      const answer = await ask(openBrowser(gateway), row, { headers: { apikey: own.customer.key } });
      expect([row.route, told(answer)]).toEqual([row.route, '401 missing_session']);
    }
  });

  /** Asks these rows about the foreign objects and about none; both are answered the same, and nothing is told. */
  async function askAll(role: Role, wanted: (row: Row) => boolean): Promise<void> {
    const leaked: string[] = [];
    const notThere = table(nothing(foreign.objects));
    for (const [i, row] of table(foreign.objects).entries()) {
      if (row.streams || !wanted(row)) continue;
      const answer = await ask(people[role], row);
      expect([row.route, row.path, told(answer)]).toEqual([row.route, row.path, row[role]]);
      leaked.push(...leaks(answer, row));
      const same = notThere[i];
      if (same === undefined) throw new Error('the table differs by its objects');
      // The same file once more says nothing new, and nobody is given so many in one minute.
      if (row.route.endsWith('.csv') && same.path === row.path) continue;
      const other = await ask(people[role], same);
      expect([row.route, told(other)]).toEqual([row.route, row[role]]);
      if (answer.status !== 200) expect({ ...other.body, request_id: '' }).toEqual({ ...answer.body, request_id: '' });
    }
    expect(leaked).toEqual([]);
  }

  // All that only looks comes first: later their own lists hold what they named in vain.
  it.each(roles)('%s of another account or provider sees nothing of them, and the same as of what there is not', (role) =>
    askAll(role, ({ route }) => route.startsWith('GET ')),
  );

  it.each(roles)('%s of another account or provider can do nothing to them, and is told the same as of what there is not', (role) =>
    askAll(role, ({ route }) => !route.startsWith('GET ')),
  );

  describe.each(roles)('%s of another account or provider', (role) => {
    it('may not act for that account', async () => {
      const browser = people[role];
      const leaked: string[] = [];
      for (const row of table(foreign.objects)) {
        for (const account of [foreign.objects.accountId, foreign.objects.accountId.toUpperCase()]) {
          const answer = await ask(browser, row, { account });
          expect([row.route, told(answer)]).toEqual([row.route, '403 forbidden']);
          leaked.push(...leaks(answer, row));
        }
        const unknown = await ask(browser, row, { account: nothing(foreign.objects).accountId });
        expect([row.route, told(unknown)]).toEqual([row.route, '403 forbidden']);
      }
      expect(leaked).toEqual([]);
    });

    it('may not either by the query of what has no headers', async () => {
      const browser = people[role];
      for (const path of ['events', 'usage', 'usage.csv', `sandbox/files/${foreign.objects.sha256}`]) {
        const answer = await browser.call('GET', `/portal/api/${path}?account_id=${foreign.objects.accountId}`, { account: null });
        expect([path, told(answer)]).toEqual([path, '403 forbidden']);
      }
    });
  });

  it('a person of both sides shows each no more than its own', async () => {
    const both = people.member;
    const { db } = gateway.app.store;
    const membership = {
      id: 'shared',
      user_id: both.userId,
      role: 'owner',
      provider_id: null,
      account_id: foreign.objects.accountId,
    } as const;
    await db
      .insertInto('memberships')
      .values({ ...membership, created_at: clock.now() })
      .execute();
    try {
      const ownSide = [
        expectOk(await people.owner.call('GET', '/portal/api/members')),
        expectOk(await people.admin.call('GET', '/portal/api/operator/users')),
        expectOk(await people.admin.call('GET', `/portal/api/operator/accounts/${own.objects.accountId}`)),
      ];
      for (const answer of ownSide) {
        expect(textOf(answer)).toContain(both.email);
        for (const secret of [foreign.objects.accountId, foreign.objects.accountName]) expect(textOf(answer)).not.toContain(secret);
      }
      // Whoever sets a password becomes that person, at the other account too.
      const reset = await people.admin.call('POST', `/portal/api/operator/users/${both.userId}/password-reset`, { body: {} });
      expect(outcome(reset)).toBe('403 forbidden');
      expect(outcome(await both.call('GET', '/portal/api/members', { account: foreign.objects.accountId }))).toBe('200');
      expect(outcome(await both.call('GET', '/portal/api/members'))).toBe('403 forbidden');
    } finally {
      await db.deleteFrom('memberships').where('id', '=', 'shared').execute();
    }
  });

  it('a provider that gave an account away sees nothing of it from then on', async () => {
    const given = await gateway.customer({ name: 'given away' });
    const move = (providerId: string) => updateAccount(gateway.app.store, given.accountId, { providerId }, at(clock.now()));
    await move(own.objects.providerId);
    const path = `/portal/api/operator/accounts/${given.accountId}`;
    expect(told(await people.admin.call('GET', path))).toBe('200');
    await move(foreign.objects.providerId);
    expect(told(await people.admin.call('GET', path))).toBe('404 not_found');
    expect(told(await people.admin.call('GET', '/v1/instances', { account: given.accountId }))).toBe('403 forbidden');
    for (const list of ['accounts', 'numbers', 'users']) {
      expect(textOf(await people.admin.call('GET', `/portal/api/operator/${list}`))).not.toContain(given.accountId);
    }
  });

  it('nothing of theirs was changed by all of this', async () => {
    expect(await everythingOf(gateway, foreign.objects)).toBe(before);
    // And all of it was there to be taken: its own people and operators get it.
    const boss = await operator(gateway);
    const { accountId: account, requestId, openCode } = foreign.objects;
    for (const browser of [foreign.owner, boss]) {
      expect(told(await browser.call('GET', `/portal/api/requests/${requestId}`, { account }))).toBe('200');
      expect(told(await browser.call('GET', `/portal/api/sandbox/files/${foreign.objects.sha256}`, { account }))).toBe('200');
    }
    expect(told(await boss.call('GET', `/portal/api/operator/accounts/${account}`))).toBe('200');
    const scanned = await foreign.owner.call('POST', '/sandbox/scan', { account, body: { code: openCode, phone_number: '491710000999' } });
    expect(told(scanned)).toBe('200');
  });

  it.each(roles)('%s of another account or provider hears nothing of them in the live stream', async (role) => {
    const stream = await openStream(gateway, people[role]);
    await stream.next('reset');
    const rename = (who: typeof own, label: string) => who.customer.call('PATCH', `/v1/instances/${who.objects.instanceId}`, { label });
    const send = (who: typeof own) =>
      who.customer.send('text', { instance_id: who.objects.instanceId, to: who.objects.contact, text: 'a live message' });
    expectOk(await send(foreign));
    expectOk(await rename(foreign, foreign.objects.label));
    expectOk(await send(own));
    expectOk(await rename(own, 'renamed live'));
    while ((await stream.next('instance')).data.label !== 'renamed live');
    stream.close();
    const heard = JSON.stringify(stream.events);
    expect(heard).toContain(own.objects.instanceId);
    for (const value of Object.values(foreign.objects)) expect(heard).not.toContain(value);
    await rename(own, own.objects.label);
  });
});
