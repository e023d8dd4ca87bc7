import type { Logger } from 'pino';
import { z } from 'zod';
import { numberDayDebt } from '../../src/accounts/index.ts';
import { CallError, createBus, openCalls, type Served, type Topic } from '../../src/coordination/index.ts';
import type { Hub, HubWire } from '../../src/coordination/memory/hub.ts';
import { type AgeTime, GatewayError, newMarks, OwnershipLost, StoreUnavailable, type Vault } from '../../src/core/index.ts';
import { Debts } from '../../src/debts/index.ts';
import { Placement, sendAtOwner } from '../../src/http/index.ts';
import { text as textKind } from '../../src/kinds/text.ts';
import { createSender, releaseDebt, settlementDebt } from '../../src/messages/index.ts';
import { Sessions } from '../../src/sessions/index.ts';
import { openAgeTime } from '../../src/store/age-time.ts';
import { type AccountTerms, requireRightClock, type Store } from '../../src/store/index.ts';
import { createRetention } from '../../src/store/retention.ts';
import type { Seeded } from '../faults/seeded.ts';
import type { SimulatedNetwork } from './network.ts';
import { dayMs, hourMs } from './plan.ts';
import type { Life } from './schedule.ts';

/** A send as a client asks for it. */
export interface Asked {
  readonly instanceId: string;
  readonly text: string;
  readonly key: string | null;
  readonly requestId: string;
}

export interface Answer {
  /** Null with 200. */
  readonly code: string | null;
  readonly messageId: string | null;
}

const freeNumbers: Topic<null> = { name: 'free_numbers', payload: z.null() };

interface Parts {
  readonly life: Life;
  readonly store: Store;
  readonly hub: Hub;
  readonly network: SimulatedNetwork;
  readonly vault: Vault;
  readonly random: Seeded;
  readonly terms: AccountTerms;
  /** Whether ages are judged by this process's own calendar. */
  readonly ownClocks: boolean;
  readonly log: Logger;
  /** Told of errors that no caller may ever see. */
  readonly broken: (error: unknown) => void;
}

/** A gateway process without its sockets: the rooms as src/app.ts and src/cluster.ts put them together. */
export interface SimulatedProcess {
  readonly wire: HubWire;
  readonly isReady: () => boolean;
  handle(request: Asked): Promise<Answer>;
  /** Ends everything in the order of src/app.ts. */
  stop(): Promise<void>;
}

export async function startProcess(parts: Parts, born: (process: SimulatedProcess) => void): Promise<void> {
  const { life, store, network, vault, random, log } = parts;
  const { clock } = life;
  const wire = parts.hub.attach();
  life.onDeath(() => wire.cut());
  const heard = hearing(wire, life, random);
  const process: SimulatedProcess = { wire, isReady: () => ready, handle, stop };
  born(process);

  const underWay = new Set<Promise<unknown>>();
  let ready = false;
  let nodeId: string | null = null;
  let served: Served | null = null;
  const bus = createBus({ wire: heard, log });
  const calls = await openCalls({ wire: heard, clock, log });
  const nextTurn = () => new Promise<void>((resolve) => life.hears(0, resolve));
  const time = parts.ownClocks ? calendarOf(life) : await openAgeTime(store, clock);
  const debts = new Debts({ store, clock, now: () => time.now(), log, nextTurn, kinds: [settlementDebt, releaseDebt, numberDayDebt] });
  debts.start();
  const retention = createRetention({
    ...{ db: store.db, clock, time, recorded: () => debts.recorded(), keepSentMs: dayMs, everyMs: hourMs, log },
  });
  const sessions = new Sessions({
    ...{ store, vault, clock, stopwatch: clock, log, debts },
    networks: new Map([['sandbox', network.of(life)]]),
    random: () => random.next(),
    feed: { publish: () => undefined },
    onOwnershipLost: () => parts.broken(new Error('a server that is not alone was told that it is ended')),
    cluster: {
      calls,
      async joined(id, handlers) {
        await served?.close();
        served = await calls.serve(id, [...handlers, sending.handler]);
        nodeId = id;
      },
      mayJoin: () => requireRightClock(store, clock),
      tellFree: () => bus.publish(freeNumbers, null),
      agreement: { settings: {}, refusal: () => null },
    },
  });
  const unused = () => Promise.reject(new Error('texts have no files'));
  const sender = createSender({
    ...{ hot: store.hot, sessions, vault, clock, debts },
    guard: { check: unused },
    media: { fetch: unused, cleanUp: unused, close: unused },
    time,
  });
  if (store.leases === null) throw new Error('the simulated store has leases');
  const sending = sendAtOwner({
    ...{ sender, calls, clock },
    placement: new Placement({ sessions, leases: store.leases, nodeId: () => nodeId, stopwatch: clock, mostRemembered: 10 }),
  });

  async function handle(request: Asked): Promise<Answer> {
    const work = answer(request);
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  }

  async function answer({ instanceId, text, key, requestId }: Asked): Promise<Answer> {
    try {
      const { result } = await sending.sender({
        kind: textKind,
        body: { instance_id: instanceId, to: '4917012345678', text },
        ...{ admission: parts.terms, requestId, idempotencyKey: key, moving: false, ownBases: [] },
        caller: () => new AbortController().signal,
        marks: newMarks(0),
      });
      return { code: null, messageId: result.message_id };
    } catch (error) {
      if (error instanceof GatewayError) return { code: error.code, messageId: null };
      if (error instanceof OwnershipLost || error instanceof StoreUnavailable || error instanceof CallError)
        return { code: 'upstream_unavailable', messageId: null };
      parts.broken(error);
      return { code: 'internal_error', messageId: null };
    }
  }

  async function stop(): Promise<void> {
    ready = false;
    const leaving = served;
    served = null;
    nodeId = null;
    await leaving?.close();
    await Promise.all(underWay);
    await sessions.stop();
    await calls.close();
    await bus.close();
    await retention.stop();
    await debts.stop();
  }

  await sessions.start();
  await bus.subscribe(freeNumbers, { hear: () => sessions.thereAreFree(), gap: () => sessions.thereAreFree() });
  ready = true;
}

function calendarOf({ clock }: Life): AgeTime {
  const now = () => clock.now();
  return { now, earliest: now, latest: now, inDoubt: false, look: async () => undefined };
}

/** A wire on which this process hears only while it runs, and later than others speak. */
function hearing(wire: HubWire, life: Life, random: Seeded): HubWire {
  const latency = () => 0.2 + random.next() * 3;
  return {
    get up() {
      return wire.up;
    },
    cut: () => wire.cut(),
    mend: () => wire.mend(),
    onChange: (listener) => wire.onChange(listener),
    async publish(channel, text) {
      const receivers = await wire.publish(channel, text);
      await new Promise<void>((resolve) => life.hears(latency(), resolve));
      return receivers;
    },
    listen: (channel, heard) => wire.listen(channel, (text) => life.hears(latency(), () => heard(text))),
  };
}
