import { expect, it } from 'vitest';
import { dayMs, OwnershipLost, Semaphore, StoreUnavailable } from '../../src/core/index.ts';
import type { OutgoingMessage } from '../../src/networks/index.ts';
import type { NumberRecord } from '../../src/sessions/number-record.ts';
import { Session } from '../../src/sessions/session.ts';
import type { InstanceRow } from '../../src/store/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';

const row = { id: 'number', account_id: 'account', linked: 1, phone_number: '491701234567', restriction_reason: null } as InstanceRow;
const message = { to: '491701234500' } as OutgoingMessage;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

type Parts = ConstructorParameters<typeof Session>[1];

/** A linked number that logs in when it is its turn, on a clock that stands still. */
function reconnecting({
  logins = new Semaphore(1, 1),
  isHeld = true,
  random = () => 0,
  count = async () => undefined,
  keepReported = async () => undefined,
  log = console,
  linked = 1,
  proxies = { of: () => null, refresh: async () => undefined },
  record = {},
  parked = false,
  events = [],
}: {
  logins?: Semaphore;
  isHeld?: boolean;
  random?: Parts['random'];
  count?: Parts['days']['count'];
  keepReported?: NumberRecord['keepReported'];
  log?: Parts['log'];
  linked?: InstanceRow['linked'];
  proxies?: Parts['proxies'];
  record?: Partial<NumberRecord>;
  parked?: boolean;
  events?: string[];
}) {
  const network = new ScriptedNetwork();
  network.onOpen = () => undefined;
  const clock = createManualClock();
  const credentials = { read: async () => new Map(), clear: async () => undefined } as unknown as NumberRecord['credentials'];
  const lease = { nodeId: 'node', epoch: 1 };
  const session = new Session(
    { ...row, linked, restriction_reason: parked ? 'replaced' : null },
    {
      ...{ network, clock, log, random, events: null, followers: null, changed: () => undefined },
      record: {
        id: row.id,
        accountId: row.account_id,
        lease,
        isHeld,
        credentials,
        keepReported,
        refusal: null,
        onRefusal: new Set(),
        stop: () => undefined,
        ...record,
      } as Partial<NumberRecord> as NumberRecord,
      logins,
      siblings: { isLinked: () => false },
      hints: { onBack: () => undefined },
      proxies,
      chatBudgets: { budget: () => null, of: () => null, send: () => Promise.reject(new Error('the number has no budget')) },
      history: { add: (_number, { event }) => void events.push(event) },
      days: { count },
      feed: { publish: () => undefined },
    },
  );
  session.resume();
  return { session, network, clock };
}

/** No connection can be opened until what is returned is called. */
function refuseConnections(network: ScriptedNetwork): () => void {
  const open = network.open.bind(network);
  network.open = () => {
    throw new Error('there is no thread left');
  };
  return () => {
    network.open = open;
  };
}

it('logs in on a slot of its account', async () => {
  const logins = new Semaphore(2, 1);
  const end = await logins.take(row.account_id);
  const { session, network, clock } = reconnecting({ logins });
  await clock.advanceAsync(0);
  expect(network.links).toEqual([]);
  end();
  await clock.advanceAsync(0);
  expect(network.links).toHaveLength(1);
  await session.stop();
});

it('lets no send wait for a connection that another server opens', async () => {
  const { session } = reconnecting({ logins: new Semaphore(0, 1) });
  const sending = session.send(message);
  await session.stop();
  expect(await sending).toEqual({ outcome: 'not_sent' });
  expect(await session.send(message)).toEqual({ outcome: 'not_sent' });
  expect(session.moved).toBe(true);
});

it('rejects a check when the number has moved', async () => {
  const { session } = reconnecting({ logins: new Semaphore(0, 1) });
  const checking = expect(session.check(['491701234500'])).rejects.toThrow(OwnershipLost);
  await session.stop();
  await checking;
});

it('sends and checks nothing when a halt has lasted longer than the lease, before its end was noticed', async () => {
  const { session } = reconnecting({ logins: new Semaphore(0, 1), isHeld: false });
  expect(await session.send(message)).toEqual({ outcome: 'not_sent' });
  expect(session.moved).toBe(true);
  await session.stop();
});

it('closes its connection at once when it stops, although the store does not answer', async () => {
  const stored = Promise.withResolvers<void>();
  const counting = Promise.withResolvers<void>();
  const { session, network, clock } = reconnecting({
    count() {
      counting.resolve();
      return stored.promise;
    },
  });
  await clock.advanceAsync(0);
  network.link('number').opens('491701234567');
  await counting.promise;
  const stopped = session.stop();
  expect(network.link('number').ended).toBe('closed');
  stored.resolve();
  await stopped;
  expect(session.status).toBe('connecting');
});

it('counts the new day too when midnight passes while the day of its login is stored [usage.number-days]', async () => {
  const counted: string[] = [];
  const stored = Promise.withResolvers<void>();
  const { session, network, clock } = reconnecting({
    count(_account, _phoneNumber, day) {
      counted.push(day);
      return stored.promise;
    },
  });
  await clock.advanceAsync(0);
  network.link('number').opens('491701234567');
  await clock.advanceAsync(0);
  expect(counted).toEqual(['2026-01-01']);
  clock.setCalendar(dayMs);
  stored.resolve();
  await clock.advanceAsync(0);
  expect([session.status, counted]).toEqual(['open', ['2026-01-01', '2026-01-02']]);
  await session.stop();
});

it('does not wait for its next try when its proxy has changed', async () => {
  const { session, network, clock } = reconnecting({ random: () => 0.5 });
  const tries = () => network.linksOf('number').length;
  // The waits are half of 1, 2, 4, 8, 16 seconds.
  for (const next of [1, 2, 3, 4, 5]) {
    await clock.advanceAsync(5_000);
    expect(tries()).toBe(next);
    await network.link('number').closes('lost');
  }
  await session.reopen();
  await clock.advanceAsync(2_000);
  expect(tries()).toBe(6);
  await session.stop();
});

it('connects again when the end of its connection could not be handled', async () => {
  const keepReported = () => Promise.reject(new Error('the write is refused'));
  const { session, network, clock } = reconnecting({ keepReported, log: silent });
  await clock.advanceAsync(0);
  await network.link('number').closes('replaced');
  await clock.advanceAsync(0);
  expect([session.status, network.links.length]).toEqual(['connecting', 2]);
  await session.stop();
});

it('ends a pairing attempt whose next connection cannot be opened, so that another one can begin', async () => {
  const { session, network, clock } = reconnecting({ linked: 0, log: silent });
  const pair = () => session.pair(0, { kind: 'system' });
  const pairing = pair();
  await clock.advanceAsync(0);
  await pairing;
  const allow = refuseConnections(network);
  await network.link('number').closes('restart');
  await clock.advanceAsync(0);
  expect([session.status, session.attempt]).toEqual(['close', null]);
  await expect(pair()).rejects.toThrow('no thread');
  expect([session.status, session.attempt]).toEqual(['close', null]);
  allow();
  const again = pair();
  await clock.advanceAsync(0);
  await again;
  expect(network.links).toHaveLength(2);
  await session.stop();
});

it('opens no other connection before the one that it gives up has ended', async () => {
  const { session, network, clock } = reconnecting({ count: () => Promise.reject(new Error('the write is refused')), log: silent });
  await clock.advanceAsync(0);
  const failed = network.link('number');
  const ended = Promise.withResolvers<void>();
  failed.close = () => ended.promise;
  failed.opens('491701234567');
  await clock.advanceAsync(60_000);
  expect([session.status, network.links.length]).toEqual(['connecting', 1]);
  ended.resolve();
  await clock.advanceAsync(0);
  expect(network.links).toHaveLength(2);
  await session.stop();
});

it('fails a logout that cannot store the end of what the network allowed, and stores it when it is repeated', async () => {
  let isAway = true;
  const events: string[] = [];
  const kept: object[] = [];
  const keep = async (change: object) => {
    if (isAway) throw new StoreUnavailable('the store is away');
    kept.push(change);
  };
  const { session, network, clock } = reconnecting({ events, record: { keep, hasCredentials: async () => false } });
  await clock.advanceAsync(0);
  network.link('number').opens('491701234567');
  network.link('number').countsNewChats({ used: 1, quota: 10, cycleEndsAt: null });
  await clock.advanceAsync(0);
  const actor = { kind: 'system' } as const;
  await expect(session.logout(actor)).rejects.toThrow(StoreUnavailable);
  expect([session.status, session.linked, session.newChats?.used]).toEqual(['close', false, 1]);
  isAway = false;
  await session.logout(actor);
  expect([session.newChats, kept]).toMatchObject([null, [{ new_chats_used: null }]]);
  expect(events.filter((event) => event === 'disconnected')).toHaveLength(1);
  await session.stop();
});

it('fails a request to take a number back that cannot store where it is connected, and shows that all the same', async () => {
  const keep = () => Promise.reject(new StoreUnavailable('the store is away'));
  const { session, network } = reconnecting({ parked: true, record: { keep, isLinkedElsewhere: async () => true } });
  await expect(session.pair(0, { kind: 'system' })).rejects.toThrow(StoreUnavailable);
  expect([session.status, session.conflict, network.links]).toEqual(['close', true, []]);
  await session.stop();
});

it('logs out over another connection only when the one that it gives up has ended', async () => {
  const { session, network, clock } = reconnecting({
    count: () => Promise.reject(new Error('the write is refused')),
    log: silent,
    record: { keep: async () => undefined },
  });
  await clock.advanceAsync(0);
  const failed = network.link('number');
  const ended = Promise.withResolvers<void>();
  failed.close = () => ended.promise;
  failed.opens('491701234567');
  await clock.advanceAsync(0);
  const logout = session.logout({ kind: 'system' });
  await clock.advanceAsync(0);
  expect(network.links).toHaveLength(1);
  ended.resolve();
  await logout;
  await clock.advanceAsync(60_000);
  expect([network.links.length, network.link('number').ended, session.status]).toEqual([2, 'logged out', 'close']);
  await session.stop();
});

it('tries again later when no connection can be opened, for a login or for a logout', async () => {
  const { session, network, clock } = reconnecting({ random: () => 0.5, log: silent });
  const allowLogin = refuseConnections(network);
  await clock.advanceAsync(0);
  allowLogin();
  await clock.advanceAsync(500);
  expect(network.links).toHaveLength(1);
  await network.link('number').closes('lost');
  await clock.advanceAsync(0);
  const allowAgain = refuseConnections(network);
  await expect(session.logout({ kind: 'system' })).rejects.toThrow('no thread');
  allowAgain();
  await clock.advanceAsync(2_000);
  expect([session.status, network.links.length]).toEqual(['connecting', 2]);
  await session.stop();
});

it('pairs through the proxy that was set just before', async () => {
  let proxy: string | null = null;
  const refresh = async () => {
    proxy = 'http://10.0.0.1:8080';
  };
  const { session, network, clock } = reconnecting({ linked: 0, proxies: { of: () => proxy, refresh } });
  const pairing = session.pair(0, { kind: 'system' });
  await clock.advanceAsync(0);
  await pairing;
  expect(network.link('number').context.proxy).toBe('http://10.0.0.1:8080');
  await session.stop();
});
