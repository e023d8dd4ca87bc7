import type { Logger } from 'pino';
import { misdirected, type Peer, type PeerAnswer, type PeerRequest, Peers } from '../../src/coordination/index.ts';
import { type AgeTime, GatewayError, newId, newMarks, OwnershipLost, StoreUnavailable, type Vault } from '../../src/core/index.ts';
import { askOwner, createOwnerSearch, Placement } from '../../src/http/index.ts';
import { text as textKind } from '../../src/kinds/text.ts';
import { createSender, releaseWrite, settlementWrite } from '../../src/messages/index.ts';
import { Outbox } from '../../src/outbox/index.ts';
import { Sessions } from '../../src/sessions/index.ts';
import { type AccountTerms, openAgeTime, requireRightClock, type Store } from '../../src/store/index.ts';
import { createRetention } from '../../src/store/retention.ts';
import { numberDayWrite } from '../../src/usage/index.ts';
import type { Seeded } from '../faults/seeded.ts';
import type { Between, Server } from './between.ts';
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

interface Parts {
  readonly life: Life;
  readonly store: Store;
  readonly between: Between;
  readonly address: string;
  readonly network: SimulatedNetwork;
  readonly vault: Vault;
  readonly random: Seeded;
  readonly terms: AccountTerms;
  /** Whether ages are judged by this process's own calendar. */
  readonly ownClocks: boolean;
  readonly log: Logger;
  /** Called with errors that no caller may ever see. */
  readonly broken: (error: unknown) => void;
}

/** A gateway process without its sockets: the rooms as src/app/start.ts and src/app/cluster.ts put them together. */
export interface SimulatedProcess {
  readonly server: Server;
  readonly isReady: () => boolean;
  handle(request: Asked): Promise<Answer>;
  /** Ends everything in the order of src/app/start.ts. */
  stop(): Promise<void>;
}

export async function startProcess(parts: Parts, born: (process: SimulatedProcess) => void): Promise<void> {
  const { life, store, network, vault, random, log } = parts;
  const { clock } = life;
  const server: Server = {
    life,
    address: parts.address,
    isCut: false,
    answer: answerPeer,
    thereAreFree: () => ready && sessions.thereAreFree(),
  };
  const process: SimulatedProcess = { server, isReady: () => ready, handle, stop };
  born(process);

  const underWay = new Set<Promise<unknown>>();
  let ready = false;
  let nodeId: string | null = null;
  let left = false;
  const living = async () => ((await store.leases?.nodes()) ?? []).map(({ id }) => id);
  const peers = new Peers({ transport: parts.between.transportOf(server), clock, living });
  const nextTurn = () => new Promise<void>((resolve) => life.receives(0, resolve));
  const time = parts.ownClocks ? calendarOf(life) : await openAgeTime(store, clock);
  const kinds = [settlementWrite, releaseWrite, numberDayWrite];
  // Looks by the minute would be most of what happens in quiet hours.
  const outbox = new Outbox({ store, clock, now: () => time.now(), everyMs: Number.POSITIVE_INFINITY, log, nextTurn, kinds });
  outbox.start();
  const retention = createRetention({
    // As where several servers share the store.
    ...{ db: store.db, dialect: 'postgres' as const, clock, time },
    ...{ recorded: () => outbox.recorded(), keepSentMs: dayMs, everyMs: hourMs, log },
  });
  const sessions = new Sessions({
    ...{ store, vault, clock, stopwatch: clock, log, outbox },
    networks: new Map([['sandbox', network.of(life)]]),
    random: () => random.next(),
    feed: { publish: () => undefined },
    onOwnershipLost: () => parts.broken(new Error('a server that is not alone has lost its database to another')),
    cluster: {
      peers,
      address: () => parts.address,
      joined(id) {
        if (!left) nodeId = id;
      },
      mayJoin: () => requireRightClock(store, clock),
      announceFree: () => parts.between.announceFree(server),
      agreement: { settings: {}, refusal: () => null },
    },
  });
  const unused = () => Promise.reject(new Error('texts have no files'));
  const sender = createSender({
    ...{ hot: store.hot, sessions, vault, clock, outbox },
    guard: { check: unused },
    media: { fetch: unused, cleanUp: unused, close: unused },
    time,
  });
  if (store.leases === null) throw new Error('the simulated store has leases');
  const placement = new Placement({ sessions, leases: store.leases, nodeId: () => nodeId, stopwatch: clock, mostRemembered: 10 });
  const search = createOwnerSearch({ placement, clock });

  async function handle(request: Asked): Promise<Answer> {
    const work = answer(request, false);
    underWay.add(work);
    return work.finally(() => underWay.delete(work)) as Promise<Answer>;
  }

  async function answerPeer(node: string, { body }: PeerRequest): Promise<PeerAnswer> {
    const work = node === nodeId ? answer(JSON.parse(body ?? ''), true) : Promise.resolve<'moved'>('moved');
    underWay.add(work);
    const given = await work.finally(() => underWay.delete(work));
    return given === 'moved' ? { status: misdirected, headers: {}, body: '' } : { status: 200, headers: {}, body: JSON.stringify(given) };
  }

  /** As the hook of src/http/owner/forward.ts, and what runs when a number was lost, do it around the endpoint. */
  async function answer(asked: Asked, forwarded: boolean): Promise<Answer | 'moved'> {
    try {
      for (let foundHere = 0; ; ) {
        const found = await search(parts.terms.accountId, asked.instanceId, { forwarded, ask: (owner) => ask(owner, asked) });
        if (found.outcome === 'answered') return JSON.parse(found.answer.body);
        if (found.outcome === 'moved') return 'moved';
        if (found.outcome === 'here') foundHere++;
        const tryId = forwarded || foundHere > 1 ? newId() : asked.requestId;
        try {
          return await sendHere(asked, { tryId, moving: found.outcome !== 'nowhere' });
        } catch (error) {
          if (!(error instanceof OwnershipLost) || foundHere !== 1) throw error;
          if (forwarded) return 'moved';
        }
      }
    } catch (error) {
      if (error instanceof GatewayError) return { code: error.code, messageId: null };
      if (error instanceof OwnershipLost || error instanceof StoreUnavailable) return { code: 'upstream_unavailable', messageId: null };
      parts.broken(error);
      return { code: 'internal_error', messageId: null };
    }
  }

  function ask(owner: Peer, asked: Asked) {
    const request = { method: 'POST', path: '/v1/messages/text', headers: {}, body: JSON.stringify(asked), requestId: asked.requestId };
    const { signal } = new AbortController();
    return askOwner(peers, owner, { ...request, https: false, signal, mayBeRepeated: asked.key !== null, advice: '' });
  }

  async function sendHere({ instanceId, text, key }: Asked, { tryId, moving }: { tryId: string; moving: boolean }): Promise<Answer> {
    const { result } = await sender({
      kind: textKind,
      body: { instance_id: instanceId, to: '4917012345678', text },
      ...{ admission: parts.terms, requestId: tryId, idempotencyKey: key, moving, ownBases: [] },
      caller: () => new AbortController().signal,
      marks: newMarks(0),
    });
    return { code: null, messageId: result.message_id };
  }

  async function stop(): Promise<void> {
    ready = false;
    left = true;
    nodeId = null;
    await Promise.all(underWay);
    await sessions.stop();
    await retention.stop();
    await outbox.stop();
  }

  parts.between.attach(server);
  await sessions.start();
  ready = true;
}

function calendarOf({ clock }: Life): AgeTime {
  const now = () => clock.now();
  return { now, earliest: now, latest: now, inDoubt: false, look: async () => undefined };
}
