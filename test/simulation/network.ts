import type { Link, LinkContext, LinkOutcome, Network, OutgoingMessage } from '../../src/networks/index.ts';
import type { Seeded } from '../faults/seeded.ts';
import type { Mutation } from './mutations.ts';
import { dayMs, type Rates } from './plan.ts';
import type { Life, Schedule } from './schedule.ts';

const acknowledgedMs = 20_000;
/** A process that went on so recently may not have noticed yet that its time is over. */
const noticesMs = 1_500;
/** A key may be used anew after 24 hours. These begin with its claim, which may be older than its message by this. */
export const keyLastsMs = dayMs - 5 * 60_000;
/** The record in which a link keeps how many messages it has encrypted: a number is used for one message, ever. */
const ratchet = 'ratchet';

interface Connection {
  readonly life: Life;
  replaced(): void;
  lost(): void;
}

interface World {
  readonly schedule: Schedule;
  readonly random: Seeded;
  readonly rates: () => Rates;
  readonly mutation: Mutation | null;
  readonly violated: (what: string) => void;
  readonly say: (line: string) => void;
}

/** The network outside: one connection per number, and recipients who have each message id once. */
export class SimulatedNetwork {
  readonly #world: World;
  readonly #connections = new Map<string, Connection>();
  readonly #used = new Map<string, string>();
  /** What came to recipients: by text, the ids of its messages and when each came first. */
  readonly #delivered = new Map<string, Map<string, number>>();
  /** How many messages came. */
  delivered = 0;
  /** Grows with everything that happens here. */
  changes = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** The network as one process has it. */
  of(life: Life): Network {
    return {
      name: 'sandbox',
      rotationLimit: 3,
      messageId: (entropy) => entropy.slice(0, 20),
      open: (context) => new SimulatedLink(this, this.#world, life, context),
      close: async () => undefined,
    };
  }

  isConnected(instanceId: string): boolean {
    return this.#connections.has(instanceId);
  }

  hasArrived(text: string, messageId: string): boolean {
    return this.#delivered.get(text)?.has(messageId) ?? false;
  }

  /** As how many messages this text came. */
  arrivalsOf(text: string): number {
    return this.#delivered.get(text)?.size ?? 0;
  }

  login(instanceId: string, connection: Connection): void {
    this.changes++;
    const before = this.#connections.get(instanceId);
    this.#connections.set(instanceId, connection);
    this.#world.say(`${connection.life.name} is connected with ${instanceId}`);
    if (before === undefined || before === connection) return;
    const { life } = before;
    const hasNoticed = ({ upSince }: Life) => this.#world.schedule.now - upSince > noticesMs;
    if (life !== connection.life && life.state === 'up' && hasNoticed(life) && hasNoticed(connection.life))
      this.#world.violated(`${instanceId} is linked by two nodes at once`);
    before.replaced();
  }

  logout(instanceId: string, connection: Connection): void {
    this.changes++;
    this.#world.say(`${connection.life.name} is no longer connected with ${instanceId}`);
    if (this.#connections.get(instanceId) === connection) this.#connections.delete(instanceId);
  }

  /** The network ends the connection of a number. */
  lose(instanceId: string): void {
    this.changes++;
    const connection = this.#connections.get(instanceId);
    this.#connections.delete(instanceId);
    connection?.lost();
  }

  /** A message arrives over a connection; false when that is not the number's any more. */
  take(instanceId: string, connection: Connection, place: number, { messageId, content }: OutgoingMessage): boolean {
    if (this.#connections.get(instanceId) !== connection) return false;
    this.changes++;
    const { violated, schedule } = this.#world;
    const name = `${instanceId} ${place}`;
    const before = this.#used.get(name);
    if (before !== undefined) violated(`the key ${name} was used for ${before} and for ${messageId}`);
    this.#used.set(name, messageId);
    const text = textOf(content);
    this.#world.say(`${connection.life.name} sends ${text} as ${messageId}`);
    const ids = this.#delivered.get(text) ?? new Map<string, number>();
    this.#delivered.set(text, ids);
    if (ids.has(messageId)) return true;
    this.delivered++;
    const young = [...ids].find(([, at]) => schedule.now - at < keyLastsMs);
    if (text.startsWith('keyed') && young !== undefined) violated(`${text} came as ${young[0]} and ${messageId}`);
    ids.set(messageId, schedule.now);
    return true;
  }
}

function textOf(content: object): string {
  return 'text' in content ? String(content.text) : '';
}

class SimulatedLink implements Link {
  readonly #network: SimulatedNetwork;
  readonly #world: World;
  readonly #life: Life;
  readonly #context: LinkContext;
  readonly #waiting = new Set<() => void>();
  #state: 'opening' | 'open' | 'closed' = 'opening';
  #place = 0;
  /** What is sent arrives in its order. */
  #lastArrival = 0;
  readonly #connection: Connection;

  constructor(network: SimulatedNetwork, world: World, life: Life, context: LinkContext) {
    this.#network = network;
    this.#world = world;
    this.#life = life;
    this.#context = context;
    this.#connection = {
      life,
      replaced: () => this.#life.receives(this.#latency(), () => this.#ends('replaced')),
      lost: () => this.#life.receives(this.#latency(), () => this.#ends('lost')),
    };
    this.#open().catch(() => this.#ends('lost'));
  }

  async #open(): Promise<void> {
    const records = await this.#context.credentials.read([ratchet]);
    const stored = records.get(ratchet);
    if (stored === undefined) throw new Error('the number has no credentials');
    this.#place = Number(stored.toString());
    await this.#context.credentials.mayLogIn?.();
    if (this.#state !== 'opening') return;
    this.#toNetwork(() => {
      this.#network.login(this.#context.instanceId, this.#connection);
      this.#life.receives(this.#latency(), () => {
        if (this.#state !== 'opening') return;
        this.#state = 'open';
        this.#context.onEvent({ type: 'open', phoneNumber: `49170${this.#context.instanceId.slice(-4)}` });
      });
    });
  }

  /** What becomes of messages is no part of the simulation. */
  follow(): void {}

  async send(message: OutgoingMessage): Promise<LinkOutcome> {
    if (this.#state !== 'open') return { outcome: 'not_open' };
    const place = ++this.#place;
    try {
      await this.#context.credentials.write(new Map([[ratchet, Buffer.from(String(place))]]));
    } catch {
      return { outcome: 'not_sent' };
    }
    if (this.#state !== 'open') return { outcome: 'not_open' };
    const { promise, resolve } = Promise.withResolvers<LinkOutcome>();
    const unknown = () => resolve({ outcome: 'unknown' });
    this.#waiting.add(unknown);
    const timer = this.#life.clock.after(acknowledgedMs, unknown);
    const { random, rates } = this.#world;
    const isLost = random.chance(rates().messageLost);
    this.#toNetwork(() => {
      if (isLost || !this.#network.take(this.#context.instanceId, this.#connection, place, message)) return;
      if (random.chance(rates().ackLost)) return;
      const late = random.chance(0.05) ? random.next() * 15_000 : this.#latency();
      this.#life.receives(late, () => {
        if (this.#state === 'open') resolve({ outcome: 'accepted', providerStatus: 'PENDING' });
      });
    });
    const outcome = await promise;
    timer.cancel();
    this.#waiting.delete(unknown);
    return outcome;
  }

  async close(): Promise<void> {
    this.#becomesClosed();
    this.#world.say(`${this.#life.name} closes ${this.#context.instanceId}`);
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = this.#world.mutation === 'socket_closes_late';
    if (late) this.#world.schedule.later(4000, () => this.#network.logout(this.#context.instanceId, this.#connection));
    this.#toNetwork(() => {
      if (!late) this.#network.logout(this.#context.instanceId, this.#connection);
      this.#life.receives(this.#latency(), resolve);
    });
    await promise;
  }

  #ends(reason: 'replaced' | 'lost'): void {
    if (this.#state === 'closed') return;
    this.#becomesClosed();
    this.#context.onEvent({ type: 'closed', reason });
  }

  #becomesClosed(): void {
    this.#state = 'closed';
    for (const end of [...this.#waiting]) end();
  }

  #latency(): number {
    return 5 + this.#world.random.next() * 100;
  }

  #toNetwork(arrive: () => void): void {
    const { schedule } = this.#world;
    this.#lastArrival = Math.max(this.#lastArrival, schedule.now + this.#latency());
    schedule.later(this.#lastArrival - schedule.now, arrive);
  }

  check: Link['check'] = async (numbers) => numbers.map((number) => ({ reachable: true, networkNumber: number }));
  knows: Link['knows'] = async () => false;
  probe: Link['probe'] = async () => this.#state === 'open';
  requestPairingCode: Link['requestPairingCode'] = async () => null;
  givePasskey: Link['givePasskey'] = async () => 'not_asked';
  confirmPasskey: Link['confirmPasskey'] = async () => false;
  logout: Link['logout'] = async () => {
    throw new Error('nobody unlinks numbers here');
  };
}
