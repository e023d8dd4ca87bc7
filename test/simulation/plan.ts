import { createSeeded, type Seeded } from '../faults/seeded.ts';

/** Something that happens to a node or a number, at a time in milliseconds. */
export type Fault =
  | { readonly at: number; readonly what: 'crash' | 'stop'; readonly node: number; readonly ms: number }
  | { readonly at: number; readonly what: 'pause' | 'store_refuses' | 'store_hangs' | 'cut'; readonly node: number; readonly ms: number }
  | { readonly at: number; readonly what: 'drain'; readonly node: number; readonly ms: number }
  | { readonly at: number; readonly what: 'link_lost'; readonly number: number }
  /** The calendar of a machine jumps, and is put right after a while. */
  | { readonly at: number; readonly what: 'clock_jump'; readonly node: number; readonly ms: number; readonly byMs: number }
  /** Another server of the database takes over after a while, and its clock differs. */
  | { readonly at: number; readonly what: 'new_primary'; readonly ms: number; readonly byMs: number };

/** How far a calendar is ahead at first, and by how many millionths it runs fast. */
export interface ClockError {
  readonly aheadMs: number;
  readonly driftPpm: number;
}

/** A message that a client sends. */
export interface PlannedSend {
  readonly at: number;
  /** Which message it is: one that is sent anew later has the same key. */
  readonly message: number;
  readonly number: number;
  readonly keyed: boolean;
  /** Whether its clients ask until they have a 200 when it has a key. */
  readonly patient: boolean;
  /** How many clients send it at once. */
  readonly clients: number;
}

/** How often small things go wrong in a storm, from 0 to 1. */
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
  /** The total allowance when the account is on a trial. */
  readonly trialLimit: number | null;
  /** Of each node's machine, and of the database's. */
  readonly clocks: readonly ClockError[];
  readonly databaseClock: ClockError;
  readonly rates: Rates;
  /** When the storms begin, in which `rates` are in force. Between them are quiet hours, in which little happens. */
  readonly storms: readonly number[];
  readonly faults: readonly Fault[];
  readonly sends: readonly PlannedSend[];
}

/** The calendar at the start of every simulation: the noon before a new month. */
export const epoch = Date.UTC(2026, 0, 31, 12);
/** The one account. */
export const accountId = '0190a000-0000-7000-8000-00000000aaaa';
export const stormMs = 25_000;
/** So long after a storm everything must have been answered at the latest: no wait is longer than that. Four minutes of it are for pending writes that were dated before a new primary set the time back. */
export const answeredMs = 300_000;
/** So long after a storm no number belongs to a server that is gone. */
export const takenOverMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
const minuteMs = 60_000;
/** In a plan that lasts so long, a server may crash while it sends what nobody asks for again: only the deadline of that claim ends it. */
const forgottenAfterMs = 29 * hourMs;

/** How far new primaries may set the database's clock back in all: no server may be five minutes off, and each has an error of its own. */
const mostBehindMs = 4 * minuteMs;

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
  const faults = Array.from({ length: random.below(7) }, () => faultOf(random, nodes, numbers, 0, stormMs - 3000));
  const sends: PlannedSend[] = [];
  const planSends = (from: number, count: number) => {
    for (let i = 0; i < count; i++) {
      const at = from + Math.floor(500 + random.next() * (stormMs - 1000));
      const clients = random.chance(0.3) ? 2 : 1;
      const keyed = sends.filter((earlier) => earlier.keyed && earlier.at < from);
      if (keyed.length > 0 && random.chance(0.6)) sends.push({ ...random.pick(keyed), at, clients });
      else {
        const [number, keyed, patient] = [random.below(numbers), random.chance(0.85), random.chance(0.9)];
        sends.push({ at, message: sends.length, number, keyed, patient, clients });
      }
    }
  };
  planSends(0, 3 + random.below(8));
  const trialLimit = random.chance(0.4) ? random.pick([10_000, 1, 2, 3]) : null;
  const storms = [0];
  for (let more = random.chance(0.75) ? 0 : 1 + random.below(2); more > 0; more--) {
    const calm = (storms.at(-1) ?? 0) + stormMs;
    const next = calm + quietMs(random, calm);
    const alone = Array.from({ length: random.below(3) }, () =>
      faultOf(random, nodes, numbers, calm + answeredMs, next - calm - answeredMs),
    );
    faults.push(...alone, ...Array.from({ length: random.below(4) }, () => faultOf(random, nodes, numbers, next, stormMs - 3000)));
    planSends(next, 1 + random.below(4));
    storms.push(next);
  }
  const clockError = () => ({
    aheadMs: Math.floor((random.next() - 0.5) * (random.chance(0.7) ? 2_000 : 40_000)),
    driftPpm: random.below(41) - 20,
  });
  const clocks = Array.from({ length: nodes }, clockError);
  let behindMs = 0;
  for (const storm of storms) {
    const at = () => storm + Math.floor(random.next() * (stormMs - 3000));
    const ms = () => Math.floor(random.next() * 15_000);
    if (random.chance(0.3)) faults.push({ at: at(), what: 'clock_jump', node: random.below(nodes), ms: ms(), byMs: jumpMs(random) });
    if (random.chance(0.1)) {
      const byMs = Math.floor(500 - random.next() * (mostBehindMs - behindMs));
      behindMs -= byMs;
      faults.push({ at: at(), what: 'new_primary', ms: ms(), byMs });
    }
  }
  const databaseClock = clockError();
  const abandoned = (storms.at(-1) ?? 0) > forgottenAfterMs && random.chance(0.5) ? random.pick(sends) : null;
  if (abandoned !== null && abandoned.at < stormMs) {
    const at = abandoned.at + Math.floor(20 + random.next() * 120);
    faults.push({ at, what: 'crash', node: random.below(nodes), ms: Math.floor(random.next() * 2000) });
  }
  const gaveUp = (send: PlannedSend) => (send.message === abandoned?.message ? { ...send, patient: false } : send);
  return { seed, nodes, numbers, trialLimit, rates, clocks, databaseClock, storms, faults, sends: sends.map(gaveUp) };
}

/** By how much a calendar is wrong: seconds, or a machine goes on after it has stood still for a day, or has another battery. */
function jumpMs(random: Seeded): number {
  const much = random.pick([
    () => random.next() * 2 * minuteMs,
    () => dayMs + random.next() * 2 * hourMs,
    () => random.next() * 60 * dayMs,
  ])();
  return Math.floor(random.chance(0.6) ? -much : much);
}

/** How long it is quiet after a storm: some minutes, until midnight comes in the next storm, until keys have just expired or just not, or days. */
function quietMs(random: Seeded, calm: number): number {
  const least = answeredMs + minuteMs;
  const untilMidnight = dayMs - ((epoch + calm + least) % dayMs) + least;
  return Math.floor(
    random.pick([
      () => least + random.next() * 20 * minuteMs,
      () => untilMidnight - random.next() * stormMs,
      () => dayMs - 2 * stormMs + random.next() * 4 * stormMs,
      () => hourMs * (1 + random.next() * 70),
    ])(),
  );
}

function faultOf(random: Seeded, nodes: number, numbers: number, from: number, withinMs: number): Fault {
  const what = random.pick(kinds);
  const at = from + Math.floor(random.next() * withinMs);
  if (what === 'link_lost') return { at, what, number: random.below(numbers) };
  return { at, what, node: random.below(nodes), ms: Math.floor(random.chance(0.5) ? random.next() * 2000 : random.next() * 15_000) };
}

/** The storm of this time; null: it is quiet. */
export function stormAt({ storms }: Plan, time: number): number | null {
  return storms.findLast((at) => at <= time && time < at + stormMs) ?? null;
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
