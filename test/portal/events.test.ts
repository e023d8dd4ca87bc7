import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKey, updateAccount } from '../../src/accounts/index.ts';
import { removeRole } from '../../src/people/index.ts';
import { at } from '../support/act.ts';
import { openStream, type TestStream } from '../support/event-stream.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { type Browser, expectOk, memberOf, newProvider, openBrowser, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';

const to = '491701234567';
const minuteMs = 60_000;

describe('live events in the portal', () => {
  const clock = createManualClock();
  let customer: Customer;
  let member: SignedIn;
  let streams: TestStream[] = [];
  const { gateway } = useGateway({ overrides: { clock } });
  beforeEach(async () => {
    customer = await gateway.customer();
    member = await memberOf(gateway, customer.accountId);
  });
  afterEach(async () => {
    for (const stream of streams) stream.close();
    await Promise.all(streams.map(({ ended }) => ended));
    streams = [];
  });
  const open = async (browser: Browser = member, after?: string) => opened(await openStream(gateway, browser, { after }));
  const opened = (stream: TestStream) => {
    streams.push(stream);
    return stream;
  };
  const create = async (of = customer) => (await of.call('POST', '/v1/instances', { label: 'till' })).body.data;
  const rename = async (id: string, label: string, of = customer) => expectOk(await of.call('PATCH', `/v1/instances/${id}`, { label }));
  const labels = (stream: TestStream) => stream.events.filter(({ event }) => event === 'instance').map(({ data }) => data.label);

  it('reach two browsers, each once and in order', async () => {
    const both = [await open(), await open(await memberOf(gateway, customer.accountId, 'owner'))];
    for (const stream of both) {
      expect(stream.status).toBe(200);
      expect(stream.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
        'x-request-id': expect.any(String),
      });
      expect(await stream.next()).toMatchObject({ event: 'reset', data: {} });
    }
    const { instance_id, created_at, qrcode } = await create();
    const shown = {
      instance_id,
      account_id: customer.accountId,
      label: 'till',
      status: 'close',
      connected: false,
      phone_number: null,
      network: 'sandbox',
      created_at,
    };
    const now = new Date(clock.now()).toISOString();
    for (const stream of both) {
      expect(await stream.next()).toMatchObject({ event: 'instance', data: shown });
      expect(await stream.next()).toMatchObject({ event: 'instance', data: { ...shown, status: 'connecting' } });
      const { event, data } = await stream.next();
      expect([event, data]).toEqual([
        'pairing',
        { instance_id, account_id: customer.accountId, code_shown_at: now, code_expires_at: expect.stringMatching(/Z$/), told_at: now },
      ]);
    }
    // A code links a phone: it is asked for, never told.
    expect(JSON.stringify(both[0]?.events)).not.toContain(qrcode.code);
    expectOk(await customer.call('POST', '/sandbox/scan', { code: qrcode.code, phone_number: '491710000901' }));
    await rename(instance_id, 'shop');
    await customer.call('DELETE', `/v1/instances/${instance_id}`);
    for (const stream of both) {
      expect((await stream.next('instance')).data).toMatchObject({ status: 'open', connected: true, phone_number: '491710000901' });
      expect((await stream.next('instance')).data).toMatchObject({ label: 'shop', status: 'open' });
      expect(await stream.next('instance_removed')).toMatchObject({ data: { instance_id, account_id: customer.accountId } });
      // Its history, which is written last.
      expect(await stream.next('numbers_stored')).toMatchObject({
        data: { instance_ids: [instance_id], account_id: customer.accountId },
      });
    }
    const [one, other] = both.map(({ events }) => events.slice(1).filter(({ event }) => event !== 'numbers_stored'));
    expect(one).toEqual(other);
  });

  it('tell every send as the activity list does, whoever sent', async () => {
    const instance_id = await customer.linked('491710000902');
    const stream = await open();
    await stream.next('reset');
    const { key } = await createKey(gateway.app.store, customer.accountId, { label: null }, at(clock.now()));
    gateway.secrets.addKey(key);
    const body = { instance_id, to, text: 'the words of the message' };
    expectOk(await customer.send('text', body));
    expectOk(await gateway.call('POST', '/v1/messages/text', { key, body }));
    expectOk(await member.call('POST', '/portal/api/messages/text', { body }));
    const told = [await stream.next('activity'), await stream.next('activity'), await stream.next('activity')];
    // Whoever is told of a send finds it.
    const list = expectOk(await member.call('GET', '/portal/api/activity')).body.data.items;
    expect(told.map(({ data }) => data.key_prefix)).toEqual([customer.key.slice(0, 12), key.slice(0, 12), null]);
    expect(told.map(({ data }) => data)).toEqual(list.toReversed());
    expect(JSON.stringify(stream.events)).not.toContain('the words');
  });

  it('go on where a connection broke', async () => {
    const instance_id = await customer.linked('491710000903');
    const before = await open();
    await before.next('reset');
    await rename(instance_id, 'one');
    const { id } = await before.next('instance');
    before.close();
    await rename(instance_id, 'two');
    clock.advance(4 * minuteMs);
    await rename(instance_id, 'three');
    const after = await open(member, id);
    await rename(instance_id, 'four');
    await expect.poll(() => labels(after)).toEqual(['two', 'three', 'four']);
    expect(after.events.map(({ event }) => event)).not.toContain('reset');
    // Nothing missed is no reason to load everything anew.
    const again = await open(member, after.lastEventId);
    await rename(instance_id, 'five');
    expect((await again.next('instance')).data.label).toBe('five');
  });

  it('go on from the first answer of a page, also where nobody followed the account before', async () => {
    const { instance_id } = await create();
    const { events } = expectOk(await member.call('GET', '/portal/api/start')).body.data;
    await rename(instance_id, 'while the page was drawn');
    const page = opened(await openStream(gateway, member, { from: events }));
    await rename(instance_id, 'since then');
    await expect.poll(() => labels(page)).toEqual(['while the page was drawn', 'since then']);
    expect(page.events.map(({ event }) => event)).not.toContain('reset');
    // What the browser itself had last counts more than the address, which stays the same.
    const back = opened(await openStream(gateway, member, { from: events, after: page.lastEventId }));
    await rename(instance_id, 'after a break');
    await expect.poll(() => labels(back)).toEqual(['after a break']);

    const boss = await operator(gateway);
    const { events: ofAll } = expectOk(await boss.call('GET', '/portal/api/start')).body.data;
    await rename(instance_id, 'for all');
    const many = opened(await openStream(gateway, boss, { from: ofAll }));
    expect((await many.next('instance')).data.label).toBe('for all');
    // Of one account nobody knows what happened to the others.
    expect((await opened(await openStream(gateway, boss, { from: events })).next()).event).toBe('reset');
  });

  it('begin anew when it is not known what was missed', async () => {
    const elsewhere = await memberOf(gateway, (await gateway.customer()).accountId);
    await (await open(elsewhere)).next('reset');
    const { id } = await (await open()).next('reset');
    const begins = async (after: string, by: Browser = member) => {
      const stream = await open(by, after);
      const { event } = await stream.next();
      stream.close();
      await stream.ended;
      return event;
    };
    for (const wrong of ['none', '0', '-1', `9${id}`, id.replace(/\..*/, ''), `${'9'.repeat(17)}.x`, 'x'.repeat(5000)])
      expect(await begins(wrong), wrong).toBe('reset');
    // Another account's number says nothing of what was missed here.
    expect(await begins(id, elsewhere)).toBe('reset');
    const { feed } = gateway.app;
    feed.publish(customer.accountId, { type: 'instance_removed', instanceId: 'x' });
    const others = (count: number) => {
      for (let i = 0; i < count; i++) feed.publish('somebody else', { type: 'instance_removed', instanceId: 'x' });
    };
    // The feed remembers a thousand; what the numbers of earlier tests have stored may come in between.
    others(900);
    expect(await begins(id)).toBe('instance_removed');
    others(100);
    expect(await begins(id)).toBe('reset');
  });

  it('begin anew after five minutes away', async () => {
    const { instance_id } = await create();
    const before = await open();
    const { id } = await before.next('reset');
    before.close();
    const forgets = () => {
      clock.advance(minuteMs);
      return gateway.app.feed.hasListeners(customer.accountId);
    };
    await expect.poll(forgets).toBe(false);
    await rename(instance_id, 'while nobody listened');
    expect((await (await open(member, id)).next()).event).toBe('reset');
  });

  it('are those of one account alone', async () => {
    const stranger = await gateway.customer();
    const theirs = await create(stranger);
    const { instance_id } = await create();
    const stream = await open();
    await stream.next('reset');
    await rename(theirs.instance_id, 'theirs', stranger);
    await rename(instance_id, 'mine');
    await expect.poll(() => labels(stream)).toEqual(['mine']);
    member.account = stranger.accountId;
    const refused = await open();
    expect(refused.status).toBe(403);
    await refused.ended;
    expect(JSON.parse(refused.rest)).toMatchObject({ success: false, error: { code: 'forbidden' } });
  });

  it('are the numbers of all for an operator, of their provider’s accounts for its admin', async () => {
    const admin = await operator(gateway);
    const reseller = await providerAdmin(gateway);
    const sold = await gateway.customer({ providerId: reseller.providerId });
    const [mine, theirs] = [await create(), await create(sold)];
    const [ofAll, ofProvider] = [await open(admin), await open(reseller)];
    for (const stream of [ofAll, ofProvider]) expect((await stream.next()).event).toBe('reset');
    await rename(mine.instance_id, 'mine');
    await rename(theirs.instance_id, 'theirs', sold);
    const created = await create(sold);
    await expect.poll(() => labels(ofAll)).toEqual(['mine', 'theirs', 'till', 'till']);
    await expect.poll(() => labels(ofProvider)).toEqual(['theirs', 'till', 'till']);
    expect(ofProvider.events[1]?.data).toMatchObject({ account_id: sold.accountId, label: 'theirs' });
    await sold.call('DELETE', `/v1/instances/${created.instance_id}`);
    expect((await ofProvider.next('instance_removed')).data).toEqual({ instance_id: created.instance_id, account_id: sold.accountId });
    // Whoever watches many numbers is not told of each one's codes and sends.
    await ofAll.next('numbers_stored');
    expect(new Set(ofAll.events.map(({ event }) => event))).toEqual(new Set(['reset', 'instance', 'instance_removed', 'numbers_stored']));

    // An account that changes hands is no longer theirs to see.
    await updateAccount(gateway.app.store, sold.accountId, { providerId: 'default' }, at(clock.now()));
    await beat(ofProvider);
    await rename(theirs.instance_id, 'gone', sold);
    await rename(mine.instance_id, 'still mine');
    await expect.poll(() => labels(ofAll).slice(-2)).toEqual(['gone', 'still mine']);
    expect(labels(ofProvider)).not.toContain('gone');
  });

  it('go on where they were for an admin of twenty providers', async () => {
    const admin = await providerAdmin(gateway);
    const sold = await gateway.customer({ providerId: admin.providerId });
    const { instance_id } = await create(sold);
    for (let count = 1; count < 20; count++) {
      await gateway.app.store.db
        .insertInto('memberships')
        .values({
          id: `more ${count}`,
          user_id: admin.userId,
          role: 'provider_admin',
          provider_id: await newProvider(gateway),
          account_id: null,
          created_at: count,
        })
        .execute();
    }
    const before = await open(admin);
    await before.next('reset');
    await rename(instance_id, 'before', sold);
    await before.next('instance');
    before.close();
    const after = await open(admin, before.lastEventId);
    await rename(instance_id, 'after', sold);
    await expect.poll(() => labels(after)).toEqual(['after']);
    expect(after.events.map(({ event }) => event)).not.toContain('reset');
  });

  it('show signs of life', async () => {
    const stream = await open();
    await stream.next('reset');
    await beat(stream);
    await beat(stream);
    expect(stream.rest).toMatch(/^retry: \d+$/);
  });

  it('end when the person signs out, in all browsers of the session', async () => {
    const two = [await open(), await open()];
    const stays = await open(await memberOf(gateway, customer.accountId));
    for (const stream of [...two, stays]) await stream.next('reset');
    expectOk(await member.signOut());
    await beat(stays);
    expect(await Promise.all(two.map(({ ended }) => ended))).toEqual(['whole', 'whole']);
    await beat(stays);
  });

  it('end when the person is no longer of the account', async () => {
    const stream = await open();
    await stream.next('reset');
    const place = { role: 'member', accountId: customer.accountId, providerId: null } as const;
    expect(await removeRole(gateway.app.store, member.userId, place, { lastToo: false }, at(0))).toBe(true);
    await beat(stream);
    expect(await stream.ended).toBe('whole');
  });

  it('are for whoever is signed in, and bounded for each person, in however many sessions', async () => {
    const ten = await Promise.all(Array.from({ length: 10 }, () => open()));
    for (const stream of ten) expect(stream.status).toBe(200);
    const refused = await open();
    expect(refused.status).toBe(429);
    await refused.ended;
    const elsewhere = openBrowser(gateway);
    await elsewhere.signIn(member.email, member.password);
    expect((await open(Object.assign(elsewhere, { account: member.account }))).status).toBe(429);
    expect(JSON.parse(refused.rest)).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
    expect((await open(await memberOf(gateway, customer.accountId))).status).toBe(200);
    ten[3]?.close();
    await expect.poll(async () => (await open()).status).toBe(200);
    member.cookies.clear();
    expect((await open()).status).toBe(401);
  });

  /** Turns the clock to the stream's next sign of life, and lets the look at its session end. */
  async function beat(stream: TestStream): Promise<void> {
    const { beats } = stream;
    const { pending } = clock;
    clock.advance(20_000);
    await expect.poll(() => stream.beats).toBeGreaterThan(beats);
    await expect.poll(() => clock.pending).toBeLessThanOrEqual(pending);
  }
});
