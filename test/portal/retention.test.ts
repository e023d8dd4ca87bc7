import { describe, expect, it } from 'vitest';
import { makeScanLink } from '../../src/people/index.ts';
import { at } from '../support/act.ts';
import { followClock } from '../support/database-clock.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, openBrowser } from '../support/portal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const dayMs = 24 * 60 * 60 * 1000;
const tables = ['user_sessions', 'user_verifications', 'one_time_links', 'scan_links'];

describe.each(storeKinds)('what the portal keeps on %s', (kind) => {
  // The sign-in library goes by the machine's own clock.
  const clock = createManualClock(Date.now());
  const { gateway } = useGateway({ store: kind, overrides: { clock } });

  const count = async (table: string): Promise<number> =>
    (
      await gateway.app.store.db
        .selectFrom(table as 'users')
        .select('id')
        .execute()
    ).length;
  const counts = async () => Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await count(table)] as const)));
  /** Lets rounds of the retention run, a minute each, until this is left. */
  const isLeft = (expected: object) =>
    waitFor(async () => {
      clock.advance(60_000);
      await followClock(gateway.app.store, clock);
      expect(await counts()).toEqual(expected);
    });

  it('goes a day after nobody can use it any more', async () => {
    const customer = await gateway.customer();
    const member = await memberOf(gateway, customer.accountId);
    const { password } = member;
    // A sign-in that waits for its code leaves a record of its own.
    const { totp_uri } = expectOk(await member.call('POST', '/portal/auth/two-factor/enable', { body: { password } })).body.data;
    gateway.secrets.add('a two-factor secret', new URL(totp_uri).searchParams.get('secret') ?? '');
    await gateway.app.store.db
      .updateTable('users')
      .set({ two_factor_enabled: kind === 'sqlite' ? 1 : true })
      .execute();
    expect(expectOk(await openBrowser(gateway).signIn(member.email, password)).body.data.two_factor).toBe(true);
    const id = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    const number = { id, account_id: customer.accountId };
    const { token } = await makeScanLink(gateway.app.store, number, at(clock.now()));
    gateway.secrets.add('the token of a link', token);
    expect(await counts()).toEqual({
      user_sessions: 1,
      user_verifications: expect.toSatisfy((n: number) => n >= 1),
      one_time_links: 1,
      scan_links: 1,
    });
    // Sessions and invitations end after 7 days, scan links after an hour.
    clock.advance(7 * dayMs);
    await isLeft({ user_sessions: 1, user_verifications: 0, one_time_links: 1, scan_links: 0 });
    clock.advance(dayMs);
    await isLeft({ user_sessions: 0, user_verifications: 0, one_time_links: 0, scan_links: 0 });
    expect(await count('users')).toBe(1);
  });
});
