import { createSeeded, type Seeded } from '../faults/seeded.ts';

/** Something that happens to a node or a number, at a time in milliseconds. */
export type Fault =
  | { readonly at: number; readonly what: 'crash' | 'stop'; readonly node: number; readonly ms: number }
  | { readonly at: number; readonly what: 'pause' | 'store_refuses' | 'store_hangs' | 'cut'; readonly node: number; readonly ms: number }
  | { readonly at: number; readonly what: 'drain'; readonly node: number; readonly ms: number }
  | { readonly at: number; readonly what: 'link_lost'; readonly number: number };

/** A message that a client sends, again and again until it is answered with 200 when it has a key. */
export interface PlannedSend {
  readonly at: number;
  readonly number: number;
  readonly keyed: boolean;
  /** How many clients send it at once. */
  readonly clients: number;
}

/** How often small things go wrong, from 0 to 1. */
export interface Rates {
  /** An answer of the store is lost. */
  readonly answerLost: number;
  /** The store takes long. */
  readonly slowStore: number;
  /** The network loses a message, or its acknowledgement. */
  readonly messageLost: number;
  readonly ackLost: number;
  /** A call between nodes is lost, or comes twice. */
  readonly callLost: number;
  readonly callTwice: number;
}

/** All that is decided before a simulation begins. The rest is drawn from the seed while it runs. */
export interface Plan {
  readonly seed: number;
  readonly nodes: number;
  readonly numbers: number;
  readonly trial: boolean;
  readonly rates: Rates;
  readonly faults: readonly Fault[];
  readonly sends: readonly PlannedSend[];
}

/** From here on nothing goes wrong any more. */
export const calmAt = 25_000;

const kinds = ['crash', 'pause', 'store_refuses', 'store_hangs', 'cut', 'link_lost', 'stop', 'drain'] as const;

export function planOf(seed: number): Plan {
  const random = createSeeded(seed);
  const nodes = 2 + random.below(2);
  const numbers = 1 + random.below(2);
  const rate = (most: number) => (random.chance(0.5) ? 0 : random.next() * most);
  const rates = {
    answerLost: rate(0.03),
    slowStore: rate(0.03),
    messageLost: rate(0.2),
    ackLost: rate(0.3),
    callLost: rate(0.05),
    callTwice: rate(0.1),
  };
  const faults = Array.from({ length: random.below(7) }, () => faultOf(random, nodes, numbers));
  const sends = Array.from({ length: 3 + random.below(8) }, () => ({
    at: Math.floor(500 + random.next() * (calmAt - 1000)),
    number: random.below(numbers),
    keyed: random.chance(0.85),
    clients: random.chance(0.3) ? 2 : 1,
  }));
  return { seed, nodes, numbers, trial: random.chance(0.3), rates, faults, sends };
}

function faultOf(random: Seeded, nodes: number, numbers: number): Fault {
  const what = random.pick(kinds);
  const at = Math.floor(random.next() * (calmAt - 3000));
  if (what === 'link_lost') return { at, what, number: random.below(numbers) };
  return { at, what, node: random.below(nodes), ms: Math.floor(random.chance(0.5) ? random.next() * 2000 : random.next() * 15_000) };
}

/** The parts of a plan that can be left out, by number: faults first, then sends, then the rates. */
export function partsOf({ faults, sends, rates }: Plan): number {
  return faults.length + sends.length + Object.keys(rates).length;
}

/** The plan without these parts. */
export function without(plan: Plan, left: ReadonlySet<number>): Plan {
  const { faults, sends, rates } = plan;
  const ratesFrom = faults.length + sends.length;
  const entries = Object.entries(rates).map(([name, value], i) => [name, left.has(ratesFrom + i) ? 0 : value]);
  return {
    ...plan,
    faults: faults.filter((_, i) => !left.has(i)),
    sends: sends.filter((_, i) => !left.has(faults.length + i)),
    rates: Object.fromEntries(entries) as Plan['rates'],
  };
}
