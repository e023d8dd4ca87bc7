import { beforeAll, describe, expect, it } from 'vitest';
import type { SearchView } from '../../src/portal/wire/search.ts';
import { findRequest } from '../../src/requests/index.ts';
import { expectOk, memberOf, openBrowser, operator, type SignedIn } from '../support/portal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';
import { makeObjects } from './foreign-world.ts';

describe.each(storeKinds)('the search of the portal on %s', (kind) => {
  let boss: SignedIn;
  let bakery: Awaited<ReturnType<typeof makeObjects>>;
  let florist: Awaited<ReturnType<typeof makeObjects>>;

  const { gateway, files } = useGateway({ store: kind });
  beforeAll(async () => {
    boss = await operator(gateway);
    bakery = await makeObjects(gateway, files, 'bakery', 1);
    florist = await makeObjects(gateway, files, 'florist', 2);
    await waitFor(() => findRequest(gateway.app.store, florist.objects.requestId));
  });

  const ask = async (person: SignedIn, q: string): Promise<SearchView> =>
    expectOk(await person.call('GET', `/portal/api/search?q=${encodeURIComponent(q)}`)).body.data;
  /** The ids of what was found, by kind; kinds without any are absent. */
  async function found(person: SignedIn, q: string) {
    const { requests, numbers, accounts, keys, people, providers, changes } = await ask(person, q);
    const all = {
      requests: requests.items.map(({ request_id }) => request_id),
      numbers: numbers.items.map(({ instance_id }) => instance_id),
      accounts: accounts.items.map(({ account_id }) => account_id),
      keys: keys.items.map(({ key_id }) => key_id),
      people: people.items.map(({ user_id }) => user_id),
      providers: providers.items.map(({ provider_id }) => provider_id),
      changes: changes.items.map(({ action }) => action),
    };
    return Object.fromEntries(Object.entries(all).filter(([, ids]) => ids.length > 0));
  }

  it('finds everything that has a name, in all accounts that an operator sees', async () => {
    const { objects } = bakery;
    expect(await found(boss, objects.requestId)).toEqual({ requests: [objects.requestId] });
    expect(await found(boss, ` ${objects.requestId.toUpperCase()} `)).toEqual({ requests: [objects.requestId] });
    expect((await found(boss, objects.requestId.slice(0, 15))).requests).toContain(objects.requestId);
    expect(await found(boss, objects.messageId)).toEqual({ requests: [objects.requestId] });
    expect(await found(boss, objects.instanceId)).toEqual({ numbers: [objects.instanceId] });
    expect((await found(boss, objects.instanceId.slice(0, 23))).numbers).toContain(objects.instanceId);
    expect(await found(boss, objects.accountId)).toEqual({ accounts: [objects.accountId] });
    expect(await found(boss, objects.keyPrefix)).toEqual({ keys: [objects.keyId] });
    expect(await found(boss, `${objects.keyPrefix}_${'x'.repeat(40)}`)).toEqual({ keys: [objects.keyId] });
    expect(await found(boss, objects.ownerEmail.toUpperCase())).toEqual({ people: [objects.ownerId] });
    expect(await found(boss, objects.providerId)).toEqual({ providers: [objects.providerId] });
    expect(await found(boss, 'BAKERY acc')).toEqual({ accounts: [objects.accountId] });
    expect(await found(boss, objects.label)).toEqual({ numbers: [objects.instanceId] });
    const toContact = await found(boss, `+${objects.contact.slice(0, 2)} ${objects.contact.slice(2, 5)}-${objects.contact.slice(5)}`);
    expect(toContact.requests).toHaveLength(2);
    expect(toContact.requests).toContain(objects.requestId);
    expect((await found(boss, objects.phone)).numbers).toEqual([objects.instanceId]);
    expect((await found(boss, objects.phone.slice(-6))).numbers).toEqual([objects.instanceId]);
    expect(await found(boss, 'nothing has this name')).toEqual({});
    expect((await ask(boss, objects.requestId)).requests.items[0]).toMatchObject({
      account_id: objects.accountId,
      account_name: objects.accountName,
      recipient: objects.contact,
      status: 200,
    });
  });

  it('shows a provider admin what is the provider\u2019s, an owner what is the account\u2019s, and a member no people', async () => {
    const [own, other] = [bakery.objects, florist.objects];
    const member = await memberOf(gateway, own.accountId, 'member');
    for (const person of [bakery.admin, bakery.owner, member]) {
      expect(await found(person, own.requestId)).toEqual({ requests: [own.requestId] });
      expect(await found(person, own.messageId)).toEqual({ requests: [own.requestId] });
      expect(await found(person, own.label)).toEqual({ numbers: [own.instanceId] });
      expect(await found(person, own.keyPrefix)).toEqual({ keys: [own.keyId] });
      expect((await found(person, own.contact)).requests).toContain(own.requestId);
      for (const name of Object.values(other)) expect(await found(person, name.slice(0, 200))).toEqual({});
      expect((await found(person, 'account')).accounts).toEqual([own.accountId]);
    }
    expect((await found(bakery.owner, own.ownerEmail)).people).toEqual([own.ownerId]);
    expect((await found(bakery.admin, own.ownerEmail)).people).toEqual([own.ownerId]);
    // An owner has a page of each member; administrators see people wherever they are.
    const accountsOf = async (person: SignedIn) => (await ask(person, own.ownerEmail)).people.items.map(({ account_id }) => account_id);
    expect(await accountsOf(bakery.owner)).toEqual([own.accountId]);
    expect(await accountsOf(bakery.admin)).toEqual([null]);
    expect(await found(member, own.ownerEmail)).toEqual({});
    expect(await found(bakery.admin, own.providerId)).toEqual({});
  });

  it('finds who deleted what is gone, for those who see the audit log of it', async () => {
    const { instance_id } = expectOk(await bakery.customer.call('POST', '/v1/instances', { label: 'Gone Away' })).body.data;
    expectOk(await bakery.customer.call('DELETE', `/v1/instances/${instance_id}`));
    for (const person of [boss, bakery.admin, bakery.owner]) {
      expect(await found(person, 'away')).toEqual({ changes: ['number.delete'] });
      expect((await ask(person, 'gone')).changes.items[0]).toMatchObject({
        actor_name: bakery.objects.keyPrefix,
        actor_id: null,
        target_id: instance_id,
        account_name: bakery.objects.accountName,
        details: { label: { from: 'Gone Away' } },
      });
    }
    const member = await memberOf(gateway, bakery.objects.accountId, 'member');
    for (const person of [member, florist.admin, florist.owner]) expect(await found(person, 'away')).toEqual({});
  });

  it('finds a person\u2019s own sends among those of others to the same recipient', async () => {
    const { contact } = florist.objects;
    const sent = expectOk(await bakery.customer.send('text', { instance_id: bakery.objects.instanceId, to: contact, text: 'x' }));
    await waitFor(() => findRequest(gateway.app.store, sent.body.request_id));
    expect((await found(bakery.owner, contact)).requests).toEqual([sent.body.request_id]);
    expect((await found(bakery.admin, contact)).requests).toEqual([sent.body.request_id]);
    expect((await found(boss, contact)).requests).toHaveLength(3);
  });

  it('tells five of a kind and that there are more', async () => {
    for (let i = 0; i < 6; i++)
      expectOk(await bakery.customer.send('text', { instance_id: bakery.objects.instanceId, to: '491709999999', text: 'x' }));
    const last = expectOk(await bakery.customer.send('text', { instance_id: bakery.objects.instanceId, to: '491709999999', text: 'x' }));
    await waitFor(() => findRequest(gateway.app.store, last.body.request_id));
    const { requests } = await ask(boss, '491709999999');
    expect([requests.items.length, requests.more, requests.items[0]?.request_id]).toEqual([5, true, last.body.request_id]);
  });

  it('refuses what is no text to look for, and strangers', async () => {
    for (const q of ['', '   ', 'x'.repeat(201), '\u0000']) {
      const refused = await boss.call('GET', `/portal/api/search?q=${encodeURIComponent(q)}`);
      expect([refused.status, refused.body.error.details.field]).toEqual([400, 'q']);
    }
    expect((await openBrowser(gateway).call('GET', '/portal/api/search?q=bakery')).status).toBe(401);
  });

  it('shares the budget of searches with the activity', async () => {
    const person = await memberOf(gateway, florist.objects.accountId, 'member');
    for (let i = 0; i < 60; i++) {
      await ask(person, 'bakery');
      expectOk(await person.call('GET', '/portal/api/activity?outcome=failed'));
    }
    const refused = await person.call('GET', '/portal/api/search?q=bakery');
    expect([refused.status, refused.body.error.details.scope]).toEqual([429, 'searches']);
  });
});
