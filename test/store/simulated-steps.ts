import fc from 'fast-check';
import { OwnershipLost } from '../../src/core/index.ts';
import type { HotPath, Lease, Leases } from '../../src/store/index.ts';

const hourMs = 3_600_000;
/** Longer than all steps together. */
export const ttlMs = 1000 * hourMs;
/** Two accounts, the first with two numbers. */
export const numbers = [
  { accountId: 'account a', id: 'number a1' },
  { accountId: 'account a', id: 'number a2' },
  { accountId: 'account b', id: 'number b1' },
] as const;

const node = fc.nat(1);
const number = fc.nat(numbers.length - 1);

/** What a store may be asked; what is left out here is drawn from a few names, so that steps meet. */
export const step = fc.oneof(
  fc.record({
    do: fc.constant('join' as const),
    node,
    alone: fc.constantFrom(false, false, false, true),
    serves: fc.constantFrom('sandbox', 'sandbox', 'whatsapp'),
  }),
  fc.record({ do: fc.constantFrom('renew' as const, 'balance' as const, 'own' as const, 'leave' as const, 'expire' as const), node }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('acquire' as const), node }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('take' as const, 'release number' as const), node, number }) },
  fc.record({ do: fc.constant('report' as const), node, number, status: fc.constantFrom('open' as const, 'connecting' as const) }),
  fc.record({ do: fc.constant('drain' as const), node, on: fc.boolean() }),
  fc.record({ do: fc.constant('owner' as const), number, account: fc.constantFrom('account a', 'account b') }),
  fc.record({ do: fc.constantFrom('statuses' as const, 'nodes' as const, 'claims are late' as const, 'clock set back' as const) }),
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      node: fc.constantFrom(0, 1, null),
      number,
      key: fc.constantFrom('x', 'y', null),
      fingerprint: fc.constantFrom('p', 'p', 'p', 'q'),
      known: fc.constantFrom(true, true, true, false),
      linked: fc.constantFrom(true, true, true, false),
      trialLimit: fc.constantFrom(null, null, 2),
      wait: fc.constantFrom(0, 0, 0, 100_000, 13 * hourMs),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('settle' as const), which: fc.nat(3), status: fc.constantFrom(null, 'PENDING') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('release' as const),
      which: fc.nat(3),
      handedOver: fc.boolean(),
      own: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ do: fc.constant('keep' as const), node: fc.constantFrom(0, 1, null), number },
      ...{ name: fc.constantFrom('m', 'n'), value: fc.constantFrom('1', '2', null) },
    }),
  },
  fc.record({ do: fc.constant('see number' as const), number, day: fc.constantFrom('2026-01-31', '2026-02-01') }),
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A store as the steps see it. */
export interface Side {
  /** One for each of two processes. */
  readonly leases: readonly [Leases, Leases];
  readonly hot: HotPath;
  /** The clock of the database stands at this time (epoch milliseconds). */
  timeIs(now: number): Promise<unknown>;
  /** The time of this node is over. */
  expire(nodeId: string): Promise<unknown>;
  /** The deadline of every claim and reservation has passed. */
  passDeadlines(): Promise<unknown>;
  /** The database's clock was set back, by more than a node lives. */
  setBack(): Promise<unknown>;
  /** All that is stored, by table. */
  contents(): Promise<Readonly<Record<string, readonly object[]>>>;
}

interface Sending {
  readonly requestId: string;
  readonly accountId: string;
  readonly key: string | null;
  readonly messageId: string | null;
  readonly reservation: string | null;
}

/** Takes one store through steps, and tells what it answers in words that another store can be compared by. */
export class Walk {
  readonly #side: Side;
  /** The nodes' ids in the order in which they came to be. */
  readonly #names = new Map<string, string>();
  readonly #nodeIds: (string | null)[] = [null, null];
  /** What each process got last of each number, which may be over. */
  readonly #held = new Map<string, Lease>();
  readonly #sending: Sending[] = [];
  #now = Date.UTC(2026, 0, 31, 12);
  #requests = 0;

  constructor(side: Side) {
    this.#side = side;
  }

  async take(step: Step): Promise<unknown> {
    try {
      return this.#named(await this.#ask(step));
    } catch (error) {
      return error instanceof OwnershipLost ? 'ownership lost' : `${error}`;
    }
  }

  async contents(): Promise<unknown> {
    const contents = await this.#side.contents();
    return Object.fromEntries(
      Object.entries(contents).map(([table, rows]) => [table, rows.map((row) => JSON.stringify(this.#named(row))).sort()]),
    );
  }

  async #ask(step: Step): Promise<unknown> {
    const { hot } = this.#side;
    switch (step.do) {
      case 'join': {
        const id = await this.#leasesOf(step.node).join({
          name: `process ${step.node}`,
          address: `http://${step.node}`,
          ttlMs,
          alone: step.alone,
          networks: [step.serves],
        });
        this.#names.set(id, `node ${this.#names.size}`);
        this.#nodeIds[step.node] = id;
        return id;
      }
      case 'renew':
        return this.#leasesOf(step.node).renew(ttlMs);
      case 'balance':
        return this.#leasesOf(step.node).balance();
      case 'own':
        return [...(await this.#leasesOf(step.node).own())].sort();
      case 'leave':
        return this.#leasesOf(step.node).leave();
      case 'expire':
        await this.#side.expire(this.#nodeIds[step.node] ?? 'none');
        return null;
      case 'acquire': {
        const taken = await this.#leasesOf(step.node).acquire(100);
        for (const { row, lease } of taken) this.#held.set(`${step.node} ${row.id}`, lease);
        return taken.map(({ row, lease }) => ({ id: row.id, lease })).sort((a, b) => (a.id < b.id ? -1 : 1));
      }
      case 'take': {
        const { id } = numberAt(step.number);
        const lease = await this.#leasesOf(step.node).take(id);
        if (lease !== null) this.#held.set(`${step.node} ${id}`, lease);
        return lease;
      }
      case 'release number':
        return this.#leasesOf(step.node).release([numberAt(step.number).id]);
      case 'report':
        return this.#leasesOf(step.node).report(new Map([[numberAt(step.number).id, step.status]]));
      case 'drain':
        return this.#leasesOf(0).drain(this.#nodeIds[step.node] ?? 'none', step.on);
      case 'owner': {
        const owner = await this.#leasesOf(0).ownerOf(step.account, numberAt(step.number).id);
        return owner == null ? { owner } : { node: owner.id, address: owner.address };
      }
      case 'statuses':
        return [...(await this.#leasesOf(0).statuses())].sort();
      case 'nodes': {
        const nodes = await this.#leasesOf(0).nodes();
        const counted = await this.#leasesOf(0).numbersOfNodes();
        return nodes.map(({ id, name, draining }) => [this.#named(id), name, draining, counted.get(id) ?? 0]).sort();
      }
      case 'claims are late':
        await this.#side.passDeadlines();
        return null;
      case 'clock set back':
        await this.#side.setBack();
        return null;
      case 'claim':
        return this.#claim(step);
      case 'settle': {
        const [sending] = this.#sending.splice(step.which, 1);
        if (sending === undefined) return null;
        const { requestId, accountId, key, messageId, reservation } = sending;
        const keyed = key === null ? null : { key, messageId: messageId ?? '', providerStatus: step.status };
        return hot.settle({ requestId, at: this.#now, accountId, type: 'text', day: '2026-01-31', keyed, reservation });
      }
      case 'release': {
        const sending = this.#sending[step.which];
        if (sending === undefined) return null;
        if (step.own) this.#sending.splice(step.which, 1);
        const { messageId: _, ...call } = sending;
        return hot.release({ ...call, ...(step.own ? {} : { requestId: 'somebody', reservation: null }), handedOver: step.handedOver });
      }
      case 'keep': {
        const records = new Map([[step.name, step.value === null ? null : Buffer.from(step.value)]]);
        const { id } = numberAt(step.number);
        return hot.keep({ instanceId: id, lease: this.#leaseOf(step.node, id), records });
      }
      case 'see number': {
        const { accountId, id } = numberAt(step.number);
        return hot.seeNumber({ accountId, phoneNumber: id, day: step.day });
      }
    }
  }

  async #claim({ node, number, key, fingerprint, known, linked, trialLimit, wait }: Step & { do: 'claim' }): Promise<unknown> {
    const { accountId, id } = numberAt(number);
    this.#now += wait;
    await this.#side.timeIs(this.#now);
    const requestId = `request ${++this.#requests}`;
    const claimed = await this.#side.hot.claim({
      ...{ accountId, instanceId: known ? id : 'unknown', linked, lease: this.#leaseOf(node, id), trialLimit, requestId },
      // Of a process whose calendar is wrong.
      ...{ now: this.#now - 25 * hourMs, dated: this.#now - 25 * hourMs },
      keyed: key === null ? null : { key, fingerprint, messageId: `message ${this.#requests}` },
    });
    if (claimed.outcome === 'claimed')
      this.#sending.push({ requestId, accountId, key, messageId: claimed.messageId, reservation: trialLimit === null ? null : requestId });
    return claimed;
  }

  #leasesOf(node: number): Leases {
    return this.#side.leases[node === 0 ? 0 : 1];
  }

  #leaseOf(node: number | null, id: string): Lease | null {
    return this.#held.get(`${node} ${id}`) ?? null;
  }

  /** The same with the nodes' names in place of their ids, which each store makes itself. */
  #named(value: unknown): unknown {
    if (typeof value === 'string') return this.#names.get(value) ?? value;
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map((each) => this.#named(each));
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#named(each)]));
  }
}

function numberAt(place: number): (typeof numbers)[number] {
  const found = numbers[place];
  if (found === undefined) throw new Error(`there is no number ${place}`);
  return found;
}
