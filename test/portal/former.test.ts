import { afterEach, describe, expect, it } from 'vitest';
import { listAudit } from '../../src/audit/index.ts';
import { outcome } from '../contract/outcome.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { expectOk, memberOf, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { storeKinds } from '../support/run-options.ts';

const path = '/portal/api/account/former';

describe.each(storeKinds)('what a former provider’s people made, on %s', (kind) => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());

  it('is shown to the new provider and to the owners, to keep or end [alerts.former]', async () => {
    gateway = await startGateway(kind);
    const boss = await operator(gateway);
    const former = await providerAdmin(gateway);
    const next = await providerAdmin(gateway);
    const { accountId } = await gateway.customer({ name: 'Moving', providerId: former.providerId });
    const [owner, member] = [await memberOf(gateway, accountId, 'owner'), await memberOf(gateway, accountId)];
    const call = async (by: SignedIn, method: string, at: string, body?: object) =>
      by.call(method, at, { account: accountId, ...(body === undefined ? {} : { body }) });
    const key = async (by: SignedIn, label: string) => {
      const { data } = expectOk(await call(by, 'POST', '/portal/api/keys', { label })).body;
      gateway.secrets.add('a key', data.key);
      return data;
    };
    const target = async (by: SignedIn, name: string) => {
      const { data } = expectOk(
        await call(by, 'POST', '/portal/api/alerts', { kind: 'webhook', address: `https://example.com/${name}` }),
      ).body;
      gateway.secrets.add('the secret of a webhook', data.secret);
      return data.target_id as string;
    };
    const made = async (by: SignedIn) =>
      expectOk(await call(by, 'GET', path)).body.data.former.map(({ kind: of, id, name, made_by }: Record<string, string>) => [
        of,
        id,
        name,
        made_by,
      ]);
    const move = async (providerId: string) =>
      expectOk(await boss.call('PATCH', `/portal/api/operator/accounts/${accountId}`, { body: { provider_id: providerId } }));

    const theirs = await key(former, 'Theirs');
    const revoked = await key(former, 'Revoked');
    expectOk(await call(owner, 'DELETE', `/portal/api/keys/${revoked.key_id}`));
    await key(owner, 'Own');
    await key(boss, 'Of an operator');
    const hook = await target(former, 'theirs');
    const changed = await target(owner, 'own');
    expectOk(await call(former, 'PATCH', `/portal/api/alerts/${changed}`, { address: 'https://example.com/changed' }));
    await target(owner, 'untouched');
    expectOk(await former.call('PUT', `/portal/api/operator/accounts/${accountId}/note`, { body: { text: 'Pays late' } }));
    expect(await made(owner)).toEqual([]);

    await move(next.providerId);
    const all = [
      ['note', accountId, '', former.email],
      ['alert', changed, 'https://example.com/changed', former.email],
      ['alert', hook, 'https://example.com/theirs', former.email],
      ['key', theirs.key_id, theirs.prefix, former.email],
    ];
    expect([await made(owner), await made(next)]).toEqual([all, all]);
    expect([outcome(await call(former, 'GET', path)), outcome(await call(member, 'GET', path))]).toEqual([
      '403 forbidden',
      '403 forbidden',
    ]);

    const decide = async (by: SignedIn, of: string, id: string, keep: boolean) =>
      outcome(await call(by, 'POST', path, { kind: of, id, keep }));
    expect(await decide(next, 'key', theirs.key_id, true)).toBe('200');
    expect(await decide(next, 'key', theirs.key_id, false)).toBe('404 not_found');
    expect(await decide(owner, 'alert', hook, false)).toBe('200');
    expect(await decide(owner, 'alert', changed, true)).toBe('200');
    expect(await decide(next, 'note', accountId, false)).toBe('200');
    expect([await made(owner), await made(next)]).toEqual([[], []]);
    const audit = (await listAudit(gateway.app.store, { limit: 4 })).map(({ action, actor_name, target_id }) => [
      action,
      actor_name,
      target_id,
    ]);
    expect(audit.reverse()).toEqual([
      ['key.keep', next.email, theirs.key_id],
      ['alert.remove', owner.email, hook],
      ['alert.keep', owner.email, changed],
      ['account.note', next.email, accountId],
    ]);
    expect((await call(owner, 'GET', `/portal/api/keys/${theirs.key_id}`)).body.data.revoked_at).toBeNull();

    // Whoever gets the account next decides for themselves; what its former provider kept is as before.
    await key(next, 'Of the next');
    await move(former.providerId);
    expect((await made(owner)).map(([of, , , by]: string[]) => [of, by])).toEqual([['key', next.email]]);
  });
});
