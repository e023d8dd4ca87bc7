import { beforeAll, describe, expect, it } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import { type Browser, expectOk, memberOf, openBrowser, type SignedIn } from '../support/portal.ts';
import { makeStoreUnavailable } from '../support/refused-writes.ts';
import { anyStore } from '../support/run-options.ts';
import { useGateway } from '../support/use-gateway.ts';

const path = '/portal/api/browsers';

describe('signed-in browsers', () => {
  let member: SignedIn;
  const { gateway } = useGateway();
  beforeAll(async () => {
    member = await memberOf(gateway, (await gateway.customer()).accountId);
  });

  async function another(): Promise<Browser> {
    const browser = openBrowser(gateway);
    expectOk(await browser.signIn(member.email, member.password));
    return browser;
  }
  const list = async (by: Browser = member) => expectOk(await by.call('GET', path)).body.data.browsers;
  const isIn = async (browser: Browser) => outcome(await browser.call('GET', '/portal/api/session')) === '200';

  it('are listed, the newest first and the own one marked', async () => {
    const phone = openBrowser(gateway);
    const headers = { 'user-agent': 'Phone/1.0' };
    expectOk(await phone.call('POST', '/portal/auth/sign-in', { body: { email: member.email, password: member.password }, headers }));
    const [newest, oldest, ...others] = await list();
    expect(others).toEqual([]);
    expect(newest).toEqual({
      session_id: expect.any(String),
      user_agent: 'Phone/1.0',
      ip_address: phone.from,
      created_at: expect.stringMatching(/Z$/),
      last_seen_at: expect.stringMatching(/Z$/),
      current: false,
    });
    expect(oldest).toMatchObject({ ip_address: member.from, current: true });
    expect((await list(phone)).map(({ current }: { current: boolean }) => current)).toEqual([true, false]);
  });

  it('are signed out one by one, or all others at once', async () => {
    const browsers = [await another(), await another(), await another()];
    const [first] = browsers;
    const [{ session_id }] = (await list(first)).filter(({ current }: { current: boolean }) => current);
    expectOk(await member.call('DELETE', `${path}/${session_id}`));
    expect(await Promise.all(browsers.map(isIn))).toEqual([false, true, true]);
    expect(outcome(await member.call('DELETE', `${path}/${session_id}`))).toBe('404 not_found');
    const before = (await list()).length;
    expect(expectOk(await member.call('DELETE', `${path}/others`)).body.data).toEqual({ ended: before - 1 });
    expect(await Promise.all([...browsers, member].map(isIn))).toEqual([false, false, false, true]);
    expect(await list()).toHaveLength(1);
  });

  it('are fifty at most: the next one ends the oldest, and half a sign-in ends none', async () => {
    const first = await memberOf(gateway, (await gateway.customer()).accountId);
    const again = async () => {
      const browser = openBrowser(gateway);
      expectOk(await browser.signIn(first.email, first.password));
      return browser;
    };
    const { db } = gateway.app.store;
    const [session] = await db.selectFrom('user_sessions').selectAll().where('user_id', '=', first.userId).execute();
    // As if they had signed in elsewhere since.
    const others = Array.from({ length: 49 }, (_, i) => ({ ...session, id: `other-${i}`, token: `token-${i}` }));
    await db
      .updateTable('user_sessions')
      .set({ created_at: new Date(0).toISOString() })
      .where('user_id', '=', first.userId)
      .execute();
    await db
      .insertInto('user_sessions')
      .values(others as never)
      .execute();
    expect(await list(first)).toHaveLength(50);
    const twoFactor = (on: boolean) =>
      db
        .updateTable('users')
        .set({ two_factor_enabled: anyStore === 'sqlite' ? Number(on) : on })
        .where('id', '=', first.userId)
        .execute();
    await twoFactor(true);
    expect(expectOk(await openBrowser(gateway).signIn(first.email, first.password)).body.data.two_factor).toBe(true);
    expect(await isIn(first)).toBe(true);
    await twoFactor(false);
    const newest = await again();
    expect([await isIn(first), await isIn(newest)]).toEqual([false, true]);
    expect(await list(newest)).toHaveLength(50);
  });

  it('are seen when their pages are opened, which they are also while the store cannot be written', async () => {
    const longAgo = new Date(Date.now() - 60 * 60 * 1000).toISOString();
    await gateway.app.store.db.updateTable('user_sessions').set({ updated_at: longAgo }).where('user_id', '=', member.userId).execute();
    const seen = async () => (await list()).find(({ current }: { current: boolean }) => current).last_seen_at;
    expect(await seen()).toBe(longAgo);
    const open = () => Promise.all(['session', 'start'].map(async (page) => expectOk(await member.call('GET', `/portal/api/${page}`))));
    const comeBack = await makeStoreUnavailable(gateway.app.store, 'user_sessions');
    try {
      await open();
      await gateway.app.seenSessions.idle();
      expect(await seen()).toBe(longAgo);
    } finally {
      await comeBack();
    }
    await open();
    await gateway.app.seenSessions.idle();
    expect(Date.now() - Date.parse(await seen())).toBeLessThan(60_000);
  });

  it("are nobody else's business", async () => {
    const other = await memberOf(gateway, (await gateway.customer()).accountId);
    const [{ session_id }] = await list(other);
    expect(outcome(await member.call('DELETE', `${path}/${session_id}`))).toBe('404 not_found');
    expect(await isIn(other)).toBe(true);
    expect(outcome(await openBrowser(gateway).call('GET', path))).toBe('401 missing_session');
  });
});
