import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NumberDetail } from '../../src/portal/wire/operator.ts';
import { followClock } from '../support/database-clock.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, operator, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';
import { storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

/** Far apart enough for the portal's limit per person, which goes by a clock that stands still here. */
const phone = '491710001300';
const secondMs = 1000;
const dayMs = 24 * 60 * 60 * secondMs;

describe.each(storeKinds)('the history of a number on %s', (kind) => {
  let clock: ManualClock;
  let network: ScriptedNetwork;
  let gateway: TestGateway;
  let customer: Customer;
  let member: SignedIn;
  let id: string;
  let linkedAt: string;
  const iso = (ms = clock.now()) => new Date(ms).toISOString();
  beforeEach(async () => {
    clock = createManualClock();
    network = new ScriptedNetwork();
    // A link that is opened again waits for the test.
    network.onOpen = (link, linked) => {
      if (!linked) link.showCode(1);
    };
    gateway = await startGateway(kind, { overrides: { clock, random: () => 0.5, networks: () => [network] } });
    customer = await gateway.customer();
    member = await memberOf(gateway, customer.accountId, 'owner');
    id = (await member.call('POST', '/v1/instances', { body: {} })).body.data.instance_id;
    await network.link(id).pairs(phone);
    await customer.reaches(id, 'open');
    linkedAt = iso();
    // What happens in one millisecond has no order.
    clock.advance(secondMs);
  });
  afterEach(() => gateway.stop());

  const detail = async (by = member): Promise<NumberDetail> => expectOk(await by.call('GET', `/portal/api/numbers/${id}`)).body.data;
  /** The page of the number as soon as its newest entries are these. */
  const shows = async (expected: object): Promise<NumberDetail> => {
    let found: NumberDetail | undefined;
    await waitFor(async () => {
      found = await detail();
      expect(found).toMatchObject(expected);
    });
    return found as NumberDetail;
  };
  const comesBack = async () => {
    const links = network.linksOf(id).length;
    await waitFor(async () => {
      await clock.advanceAsync(30 * secondMs);
      expect(network.linksOf(id).length).toBeGreaterThan(links);
    });
    network.link(id).opens(phone);
    await customer.reaches(id, 'open');
  };

  it('begins with who linked it, and says since when it is connected', async () => {
    clock.advance(5 * 60 * secondMs);
    const found = await shows({ history: [{ event: 'linked' }] });
    expect(found).toMatchObject({
      standing: 'connected',
      since: linkedAt,
      what_to_do: null,
      last_send: null,
      last_failures: [],
      server: null,
      history: [{ event: 'linked', text: 'Linked with a phone', at: linkedAt, count: 1, by: member.email }],
    });
  });

  it('tells a lost connection with its end, and one that flaps in one line with a count', async () => {
    const lostAt = iso();
    await network.link(id).closes('lost');
    const lost = await shows({ standing: 'reconnecting', history: [{ event: 'lost', ended_at: null }, { event: 'linked' }] });
    expect(lost.since).toBe(lostAt);
    expect(lost.why).toMatch(/reconnects it automatically/);
    await comesBack();
    await shows({ standing: 'connected', since: iso(), history: [{ event: 'lost', at: lostAt, ended_at: iso(), count: 1 }, {}] });
    for (let time = 0; time < 4; time++) {
      await network.link(id).closes('lost');
      await customer.reaches(id, 'connecting');
      await comesBack();
    }
    const flapped = await shows({ history: [{ event: 'lost', at: lostAt, ended_at: iso(), count: 5 }, { event: 'linked' }] });
    expect(flapped.history).toHaveLength(2);
    // An hour later it is another line.
    clock.advance(2 * 60 * 60 * secondMs);
    await network.link(id).closes('lost', clock.now() + dayMs);
    await shows({ history: [{ event: 'lost', at: iso(), until: iso(clock.now() + dayMs), count: 1 }, { count: 5 }, {}] });
  });

  it.each([
    ['unlinked', /removed the gateway from the linked devices/],
    ['banned', /banned the number/],
    ['refused', /no longer accepts the link/],
  ] as const)('says what to do when a number is %s', async (reason, why) => {
    await network.link(id).closes(reason);
    const found = await shows({ standing: 'needs_person', since: iso(), history: [{ event: reason, at: iso() }, {}] });
    expect(found.why).toMatch(why);
    expect(found.what_to_do).toMatch(/link/i);
    const query = `standing=needs_person&reason=${reason}`;
    const all = expectOk(await (await operator(gateway)).call('GET', `/portal/api/operator/numbers?${query}`)).body.data;
    expect(all.rows).toMatchObject([{ instance_id: id, reason, since: found.since }]);
  });

  it('tells restrictions when they begin and end, and what the number may still do', async () => {
    const until = clock.now() + dayMs;
    network.link(id).restricts({ reason: 'new_chats_capped', until });
    const capped = await shows({ standing: 'connected', history: [{ event: 'restricted', until: iso(until) }, {}] });
    expect(capped.why).toMatch(/as many new chats as the network allows/);
    clock.advance(secondMs);
    network.link(id).restricts(null);
    await shows({ why: 'The number is connected and can send.', history: [{ event: 'unrestricted' }, { event: 'restricted' }, {}] });
  });

  it('tells that another program took the number, and who took it back', async () => {
    await network.link(id).closes('replaced');
    const parked = await shows({ standing: 'needs_person', history: [{ event: 'parked' }, {}] });
    expect(parked.what_to_do).toMatch(/Stop the other program/);
    network.onOpen = (link) => link.opens(phone);
    clock.advance(secondMs);
    expectOk(await customer.call('GET', `/v1/instances/${id}/qr`));
    const back = await shows({ standing: 'connected', history: [{ event: 'taken_back' }, { event: 'parked' }, {}] });
    expect(back.history[0]?.by).toMatch(/^API key mgw_/);
  });

  it('tells who disconnected it, and a failed attempt to link it again', async () => {
    expectOk(await member.call('DELETE', `/v1/instances/${id}?logout_only=true`));
    const found = await shows({ standing: 'needs_person', history: [{ event: 'disconnected', by: member.email }, {}] });
    expect(found.why).toBe(`It was disconnected by ${member.email}.`);
    expectOk(await member.call('GET', `/v1/instances/${id}/qr`));
    clock.advance(secondMs);
    network.link(id).passkey({ stage: 'failed', reason: 'The passkey is not the right one.' });
    await shows({
      history: [
        { event: 'pairing_failed', text: 'Linking with a passkey failed: The passkey is not the right one' },
        { event: 'disconnected' },
        {},
      ],
    });
  });

  it('writes nothing for a restart after which the number is back, and tells when it is not', async () => {
    await shows({ history: [{ event: 'linked' }] });
    network.onOpen = (link) => link.opens(phone);
    await gateway.restart();
    await customer.reaches(id, 'open');
    await clock.advanceAsync(2 * 60 * secondMs);
    await shows({ standing: 'connected', since: linkedAt });
    expect((await detail()).history).toHaveLength(1);

    network.onOpen = () => undefined;
    const startedAt = iso();
    await gateway.restart();
    await waitFor(async () => {
      await clock.advanceAsync(60 * secondMs);
      expect((await detail()).history[0]?.event).toBe('lost');
    });
    await shows({ history: [{ event: 'lost', text: 'Not connected after the gateway started', at: startedAt, ended_at: null }, {}] });
    // The next process ends what the one before began.
    network.onOpen = (link) => link.opens(phone);
    await gateway.restart();
    await customer.reaches(id, 'open');
    await shows({ standing: 'connected', since: iso(), history: [{ event: 'lost', at: startedAt, ended_at: iso(), count: 1 }, {}] });
  });

  it('shows the last send and the last failure', async () => {
    const sent = await customer.send('text', { instance_id: id, to: '491701234500', text: 'x' });
    network.link(id).answerSend = async () => ({ outcome: 'unknown' });
    const failed = await customer.send('text', { instance_id: id, to: '491701234500', text: 'x' });
    await shows({
      last_send: { request_id: sent.body.request_id },
      last_failures: [{ request_id: failed.body.request_id, code: 'upstream_unavailable' }],
    });
  });

  it('is shown to administrators too, is kept for 90 days, and outlives the number', async () => {
    const boss = await operator(gateway);
    await shows({ history: [{ event: 'linked' }] });
    expect(expectOk(await boss.call('GET', `/portal/api/operator/numbers/${id}`)).body.data).toMatchObject({
      instance_id: id,
      account_id: customer.accountId,
      standing: 'connected',
      history: [{ event: 'linked' }],
    });
    expectOk(await member.call('DELETE', `/v1/instances/${id}`));
    expect(await member.call('GET', `/portal/api/numbers/${id}`)).toMatchObject(refusal(404, 'instance_not_found'));
    const rows = async () =>
      (await gateway.app.store.db.selectFrom('number_history').select('event').where('instance_id', '=', id).orderBy('at').execute()).map(
        ({ event }) => event,
      );
    await waitFor(async () => expect((await rows()).toSorted()).toEqual(['deleted', 'linked']));
    clock.advance(89 * dayMs);
    await followClock(gateway.app.store, clock);
    for (let minute = 0; minute < 61; minute++) await clock.advanceAsync(60 * secondMs);
    expect(await rows()).toHaveLength(2);
    clock.advance(2 * dayMs);
    await followClock(gateway.app.store, clock);
    await waitFor(async () => {
      await clock.advanceAsync(60 * secondMs);
      expect(await rows()).toEqual([]);
    });
  });
});
