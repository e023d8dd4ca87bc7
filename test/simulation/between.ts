import { type PeerAnswer, PeerError, type PeerRequest, type Transport } from '../../src/coordination/index.ts';
import type { Seeded } from '../faults/seeded.ts';
import type { Rates } from './plan.ts';
import type { Life, Schedule } from './schedule.ts';

/** How long a connection is tried for (src/coordination/http-transport.ts). */
const connectMs = 2_000;

/** A process as the others reach it. */
export interface Server {
  readonly life: Life;
  readonly address: string;
  isCut: boolean;
  answer(nodeId: string, request: PeerRequest): Promise<PeerAnswer>;
  /** Others announced free numbers, or it may have missed that. */
  thereAreFree(): void;
}

interface World {
  readonly schedule: Schedule;
  readonly random: Seeded;
  readonly rates: () => Rates;
}

/** What lies between the servers: connections to each other, and Redis for what is published to all. */
export class Between {
  readonly #world: World;
  readonly #servers = new Map<string, Server>();

  constructor(world: World) {
    this.#world = world;
  }

  /** From now on, until it dies, this process is the one at its address. */
  attach(server: Server): void {
    this.#servers.set(server.address, server);
    server.life.onDeath(() => {
      if (this.#servers.get(server.address) === server) this.#servers.delete(server.address);
    });
  }

  /** Cuts a process off from the others, or connects it again. */
  setCut(server: Server, isCut: boolean): void {
    if (server.isCut && !isCut) server.thereAreFree();
    server.isCut = isCut;
  }

  /** Whoever is cut off meanwhile receives nothing more, not even that a connection has ended. */
  transportOf(from: Server): Transport {
    const { random, rates } = this.#world;
    return ({ id, address }, request) =>
      new Promise((resolve, reject) => {
        const to = this.#servers.get(address);
        const receives = (run: () => void) => from.life.receives(this.#latency(), run);
        const breaks = () => receives(() => reject(new Error('the connection broke')));
        if (to === undefined) return receives(() => reject(new PeerError('unreachable')));
        if (from.isCut || to.isCut) return from.life.receives(connectMs, () => reject(new PeerError('unreachable')));
        if (random.chance(rates().callLost)) return breaks();
        const forget = to.life.onDeath(breaks);
        to.life.receives(this.#latency(), async () => {
          const answer = await to.answer(id, request);
          forget();
          if (from.isCut || to.isCut) return;
          if (random.chance(rates().callLost)) breaks();
          else receives(() => resolve(answer));
        });
      });
  }

  /** Redis: perhaps not at all, or twice. */
  announceFree(from: Server): void {
    const { random, rates, schedule } = this.#world;
    for (const to of this.#servers.values()) {
      if (to === from || to.isCut || from.isCut || random.chance(rates().callLost)) continue;
      const announce = () => to.life.receives(0, () => to.isCut || to.thereAreFree());
      schedule.later(this.#latency(), announce);
      if (random.chance(rates().callTwice)) schedule.later(random.next() * 2000, announce);
    }
  }

  #latency(): number {
    return 0.2 + this.#world.random.next() * 3;
  }
}
