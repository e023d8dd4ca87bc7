import type { Logger } from 'pino';
import { createVault } from '../../src/core/index.ts';
import { createSeeded, type Seeded } from '../faults/seeded.ts';
import { Between } from './between.ts';
import { ClientSend } from './client.ts';
import type { SimulatedDatabase } from './database.ts';
import { type JudgedWorld, unfinished, wrongInTheEnd } from './judge.ts';
import type { Mutation } from './mutations.ts';
import { SimulatedNetwork } from './network.ts';
import { type SimulatedProcess, startProcess } from './node.ts';
import { accountId, answeredMs, type Fault, type Plan, type Rates, stormAt, stormMs, takenOverMs } from './plan.ts';
import { QuietHours } from './quiet.ts';
import { Life, Schedule, WallClock } from './schedule.ts';
import { simulatedStore, type WayToStore } from './store.ts';

const restartMs = 1_000;
const stopMs = 30_000;
const calm: Rates = { answerLost: 0, slowStore: 0, messageLost: 0, ackLost: 0, callLost: 0, callTwice: 0 };

export interface Outcome {
  /** What must never happen and did; null: nothing. */
  readonly failure: string | null;
  readonly steps: number;
  readonly simulatedMs: number;
  /** How much of that were quiet hours, of which nothing but heartbeats is missing. */
  readonly skippedMs: number;
  /** The same for the same plan, whenever it is run. */
  readonly digest: string;
}

interface Options {
  readonly database: SimulatedDatabase;
  readonly mutation?: Mutation | null;
  /** Has every heart beat in quiet hours too, which takes long. */
  readonly everyHeartbeat?: boolean;
  /** Called with everything that happens. */
  readonly onLine?: (line: string) => void;
}

/** Runs a plan until everything was answered and is in its place, or something is wrong. */
export async function simulate(plan: Plan, options: Options): Promise<Outcome> {
  const { stackTraceLimit } = Error;
  // Traces of errors that nobody reads take a twentieth of the time.
  if (options.onLine === undefined) Error.stackTraceLimit = 0;
  options.database.begin();
  try {
    return await new Simulation(plan, options).run();
  } finally {
    options.database.end();
    Error.stackTraceLimit = stackTraceLimit;
  }
}

interface Machine {
  life: Life;
  process: SimulatedProcess | null;
  /** Its latest id among the nodes. */
  nodeId: string | null;
  readonly wall: WallClock;
  readonly way: WayToStore;
  /** Whether somebody starts it again when it has ended. */
  wanted: boolean;
}

const vault = createVault(Buffer.alloc(32, 7));

class Simulation {
  readonly #plan: Plan;
  readonly #mutation: Mutation | null;
  readonly #onLine: ((line: string) => void) | null;
  readonly #schedule = new Schedule();
  readonly #random: Seeded;
  readonly #database: SimulatedDatabase;
  readonly #databaseClock: WallClock;
  readonly #network: SimulatedNetwork;
  readonly #between: Between;
  readonly #machines: Machine[];
  /** By message. */
  readonly #sends: ReadonlyMap<number, ClientSend>;
  readonly #quiet: QuietHours | null;
  readonly #instances: readonly string[];
  #failure: string | null = null;
  #nodeIds = 0;

  constructor(plan: Plan, { database, mutation = null, everyHeartbeat = false, onLine }: Options) {
    this.#plan = plan;
    this.#mutation = mutation;
    this.#onLine = onLine ?? null;
    this.#random = createSeeded(plan.seed ^ 0x5bd1e995);
    this.#database = database;
    const [schedule, random] = [this.#schedule, this.#random];
    const violated = (what: string) => this.#violated(what);
    const rates = () => this.#rates();
    this.#network = new SimulatedNetwork({ schedule, random, rates, mutation, violated, say: (line) => this.#say(line) });
    this.#between = new Between({ schedule, random, rates });
    this.#instances = Array.from({ length: plan.numbers }, (_, i) => `0190a000-0000-7000-8000-00000000000${i}`);
    this.#fillDatabase();
    this.#databaseClock = new WallClock(schedule, plan.databaseClock);
    this.#machines = plan.clocks.map((clock, place) => {
      const wall = new WallClock(schedule, clock);
      return { life: new Life(schedule, `node ${place}`, wall), process: null, nodeId: null, wall, way: { state: 'open' }, wanted: true };
    });
    const hasArrived = (text: string, messageId: string) => this.#network.hasArrived(text, messageId);
    const reach: ConstructorParameters<typeof ClientSend>[3]['reach'] = (request, answered) => this.#reach(request, answered);
    this.#sends = new Map(
      plan.sends.map(({ message, number, keyed, patient }) => {
        const client = { schedule, random, violated, hasArrived, reach, patient, mayBeRefused: plan.trialLimit !== null };
        return [message, new ClientSend(String(message), this.#instances[number] ?? '', keyed, client)];
      }),
    );
    const isIdle = () => this.#isIdle();
    this.#quiet = everyHeartbeat ? null : new QuietHours({ schedule, database, network: this.#network, isIdle });
  }

  async run(): Promise<Outcome> {
    const [schedule, { faults, sends, storms }] = [this.#schedule, this.#plan];
    const planned = (at: number, run: () => void) =>
      schedule.planned(at, () => {
        this.#quiet?.disturb();
        run();
      });
    for (const machine of this.#machines) planned(this.#random.next() * 300, () => this.#start(machine));
    for (const fault of faults) planned(fault.at, () => this.#begins(fault));
    for (const { at, message, clients } of sends) {
      for (let n = 0; n < clients; n++) planned(at + n * 20, () => this.#sends.get(message)?.begin(this.#random.below(2)));
    }
    for (const storm of storms) {
      planned(storm + stormMs, () => this.#becomesCalm());
      planned(storm + stormMs + takenOverMs, () => this.#judgeTheOwners());
    }
    const lastCalm = (storms.at(-1) ?? 0) + stormMs;
    for (const storm of storms.slice(0, -1)) planned(storm + stormMs + answeredMs, () => this.#judgeTheWaits('after a storm'));
    let over = false;
    const look = () => {
      over = unfinished(this.#world()) === null;
      if (!over) schedule.later(1000, look);
    };
    schedule.planned(lastCalm + 9_000, look);
    await schedule.run(lastCalm + answeredMs, () => {
      this.#quiet?.look();
      return over || this.#failure !== null;
    });
    if (this.#failure === null) this.#judgeTheEnd();
    for (const { life } of this.#machines) life.kill();
    const { steps, now, skipped } = schedule;
    const digest = `${steps} ${now} ${this.#random.next()}`;
    return { failure: this.#failure, steps, simulatedMs: now, skippedMs: skipped, digest };
  }

  #violated(what: string): void {
    this.#say(`WRONG: ${what}`);
    this.#failure ??= what;
  }

  #say(line: string): void {
    this.#onLine?.(`${(this.#schedule.now / 1000).toFixed(3).padStart(8)} ${line}`);
  }

  #rates(): Rates {
    return stormAt(this.#plan, this.#schedule.now) === null ? calm : this.#plan.rates;
  }

  #fillDatabase(): void {
    const database = this.#database;
    database.change(
      "insert into accounts (id, name, provider_id, status, operator, created_at) values (?, 'Ada', 'default', 'active', 0, 0)",
      accountId,
    );
    for (const id of this.#instances) {
      database.change(
        "insert into instances (id, account_id, network, phone_number, linked, linked_at, conflict, created_at) values (?, ?, 'sandbox', ?, 1, 0, 0, 0)",
        ...[id, accountId, `49170${id.slice(-4)}`],
      );
      const sealed = vault.seal(Buffer.from('0'), `credentials ${id} ratchet`);
      database.change("insert into credentials (instance_id, name, sealed) values (?, 'ratchet', ?)", id, sealed);
    }
  }

  #start(machine: Machine): void {
    const [schedule, random, place] = [this.#schedule, this.#random, this.#machines.indexOf(machine)];
    const life = new Life(schedule, `node ${place}`, machine.wall);
    machine.life = life;
    machine.process = null;
    this.#say(`node ${place} starts`);
    const store = simulatedStore({
      ...{ database: this.#database, clock: this.#databaseClock, schedule, life, random, way: machine.way, mutation: this.#mutation },
      rates: () => this.#rates(),
      newNodeId: () => {
        machine.nodeId = `node ${place} as ${++this.#nodeIds}`;
        return machine.nodeId;
      },
      wrote: (instanceId, lease) => {
        const holder = this.#database.one<{ node_id: string | null; epoch: number }>(
          'select node_id, epoch from leases where instance_id = ?',
          instanceId,
        );
        if (lease === null || holder?.node_id !== lease.nodeId || holder.epoch !== lease.epoch)
          this.#violated(`${lease?.nodeId} writes keys of ${instanceId}, which ${holder?.node_id} owns`);
      },
      counted: () => this.#sendCounted(),
      say: (line) => this.#say(line),
    });
    const note = (level: string) => (fields: unknown, message?: string) => {
      if (this.#onLine === null) return;
      const error = typeof fields === 'object' && fields !== null && 'err' in fields ? ` (${fields.err})` : '';
      this.#say(`node ${place} ${level}: ${message ?? fields}${error}`);
    };
    const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') } as unknown as Logger;
    const terms = {
      ...({ accountId, accountStatus: 'active', providerStatus: 'active', accessEndsAt: null, planId: null, planEndsAt: null } as const),
      ...{ messagesPerMinute: null, trialMessageLimit: this.#plan.trialLimit },
    };
    startProcess(
      {
        ...{ life, store, between: this.#between, address: `place ${place}`, network: this.#network, vault, random, terms, log },
        ownClocks: this.#mutation === 'own_clocks',
        broken: (error) => this.#violated(`${error}`),
      },
      (process) => {
        machine.process = process;
      },
    ).catch((error: unknown) => {
      // Whoever runs the program starts it again.
      this.#say(`node ${place} does not start: ${error}`);
      this.#dies(machine, life);
    });
  }

  #dies(machine: Machine, life: Life): void {
    if (machine.life !== life || life.state === 'dead') return;
    life.kill();
    if (machine.wanted) this.#schedule.later(restartMs, () => this.#revive(machine));
  }

  #revive(machine: Machine): void {
    machine.wanted = true;
    if (machine.life.state === 'dead') this.#start(machine);
  }

  #begins(fault: Fault): void {
    this.#say(JSON.stringify(fault));
    if (fault.what === 'link_lost') {
      this.#network.lose(this.#instances[fault.number] ?? '');
      return;
    }
    const { now } = this.#schedule;
    const storm = stormAt(this.#plan, now);
    const after = (run: () => void) => this.#schedule.later(storm === null ? fault.ms : Math.min(fault.ms, storm + stormMs - now), run);
    if (fault.what === 'new_primary') {
      const ways = this.#machines.map(({ way }) => way);
      for (const way of ways) way.state = 'refuses';
      after(() => {
        this.#databaseClock.jump(fault.byMs);
        for (const way of ways) way.state = 'open';
      });
      return;
    }
    const machine = this.#machines[fault.node];
    if (machine === undefined) return;
    const { life, process, wall, way } = machine;
    switch (fault.what) {
      case 'crash':
        machine.wanted = false;
        life.kill();
        after(() => this.#revive(machine));
        return;
      case 'stop': {
        if (life.state !== 'up' || process === null) return;
        let ended = false;
        const end = () => {
          // A process whose start fails while it is stopped is dead already, and comes back all the same.
          if (ended || machine.life !== life) return;
          ended = true;
          life.kill();
          this.#say(`node ${fault.node} has stopped`);
          this.#schedule.later(fault.ms % 3000, () => this.#revive(machine));
        };
        machine.wanted = false;
        this.#schedule.later(stopMs, end);
        process.stop().then(end, end);
        return;
      }
      case 'pause':
        life.pause();
        after(() => life.resume(this.#random.chance(0.5)));
        return;
      case 'store_refuses':
      case 'store_hangs':
        way.state = fault.what === 'store_refuses' ? 'refuses' : 'hangs';
        after(() => {
          way.state = 'open';
        });
        return;
      case 'cut':
        if (process === null) return;
        this.#between.setCut(process.server, true);
        after(() => this.#between.setCut(process.server, false));
        return;
      case 'clock_jump':
        wall.jump(fault.byMs);
        after(() => wall.jump(-fault.byMs));
        return;
      case 'drain': {
        const drain = (on: number) => this.#database.change('update nodes set draining = ? where id like ?', on, `node ${fault.node} as %`);
        drain(1);
        after(() => void drain(0));
        return;
      }
    }
  }

  #becomesCalm(): void {
    this.#say('from here on nothing goes wrong');
    for (const machine of this.#machines) {
      machine.way.state = 'open';
      machine.life.resume(true);
      if (machine.process !== null) this.#between.setCut(machine.process.server, false);
    }
  }

  /** Some node gets the request, if it runs; it may be another one each time. */
  #reach(
    request: Parameters<SimulatedProcess['handle']>[0],
    answered: (answer: Awaited<ReturnType<SimulatedProcess['handle']>> | null) => void,
  ): void {
    const place = this.#random.below(this.#machines.length);
    const machine = this.#machines[place];
    const { life, process } = machine ?? { life: null, process: null };
    if (life === null || process === null || life.state === 'dead' || !process.isReady())
      return void this.#schedule.later(10, () => answered(null));
    const forget = life.onDeath(() => this.#schedule.later(10, () => answered(null)));
    life.receives(this.#random.next() * 3, () => {
      this.#say(`node ${place} gets ${request.requestId}`);
      void process.handle(request).then((answer) => {
        forget();
        this.#say(`node ${place} answers ${request.requestId}: ${answer.code ?? answer.messageId}`);
        this.#schedule.later(this.#random.next() * 3, () => answered(answer));
      });
    });
  }

  #sendCounted(): void {
    const { delivered } = this.#network;
    const { counted } = this.#database.one<{ counted: number }>('select coalesce(sum(count), 0) as counted from usage_sends') ?? {
      counted: 0,
    };
    if (counted > delivered) this.#violated(`${counted} sends are counted, ${delivered} messages came`);
  }

  #isIdle(): boolean {
    const isFine = ({ life, process, way }: Machine) =>
      life.state === 'up' && way.state === 'open' && process?.isReady() === true && !process.server.isCut;
    return this.#machines.every(isFine) && unfinished(this.#world()) === null;
  }

  #judgeTheOwners(): void {
    const alive = this.#machines.flatMap(({ life, nodeId }) => (life.state === 'dead' ? [] : [nodeId]));
    for (const { instance_id, node_id } of this.#database.all<{ instance_id: string; node_id: string | null }>('select * from leases'))
      if (node_id !== null && !alive.includes(node_id)) this.#violated(`${instance_id} still belongs to ${node_id}, which is gone`);
  }

  #judgeTheWaits(when: string): void {
    const left = unfinished(this.#world());
    if (left !== null) this.#violated(`${when} ${left}`);
  }

  #judgeTheEnd(): void {
    this.#judgeTheWaits('in the end');
    for (const wrong of wrongInTheEnd(this.#world())) this.#violated(wrong);
  }

  #world(): JudgedWorld {
    return {
      ...{ plan: this.#plan, database: this.#database, network: this.#network, instances: this.#instances },
      ...{ sends: [...this.#sends.values()], now: this.#databaseClock.now(), connectedDays: this.#quiet?.connectedDays ?? new Set() },
    };
  }
}
