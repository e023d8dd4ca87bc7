import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { rounds } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Sender } from './customers.ts';
import { type LoadClient, workOff } from './load-client.ts';
import type { Nodes } from './nodes.ts';
import type { Pace } from './pace.ts';

/** By when everything must work again. A slow machine may take longer in the short form; the long form is what measures. */
const backWithinMs = rounds({ short: 40_000, long: 15_000 });
/** What takes longer is waited for all the same, to say how long it took. */
const givenUpMs = rounds({ short: 45_000, long: 120_000 });
/** How long a customer waits after a failed request before the next one. */
const afterFailureMs = 100;
/** How long one waits after asking again for what was answered; without a pause, such requests take all the time that the servers have. */
const afterRepeatMs = rounds({ short: 50, long: 0 });

/** Breaks something and mends it; resolves when that is done, with a number if the reckoning is to begin earlier (`performance.now()`). */
export type Fault = () => Promise<unknown>;

/** A load of keyed sends. */
interface Load<Send> {
  readonly sends: readonly Send[];
  readonly answered: readonly Send[];
  readonly unanswered: readonly Send[];
  readonly complaints: readonly string[];
  work(): Iterable<Send>;
  ask(client: LoadClient, send: Send): Promise<boolean>;
  finish(client: LoadClient): Promise<void>;
}

interface Send {
  readonly key: string;
  readonly result: object | null;
  readonly refusal?: string;
}

interface Options<Each extends Send> {
  readonly nodes: Nodes;
  readonly senders: readonly Sender[];
  readonly load: Load<Each>;
  readonly pace: Pace;
  /** How many customers ask at once. */
  readonly customers: number;
  /** How often the network itself fails a send that reaches it, as some of the sandbox's contacts are there for. */
  readonly lossesOf?: (send: Each) => number;
  /** What does not fit between what customers were told and what recipients have, while every send has been answered. */
  readonly audit: () => Promise<string[]>;
  /** What the store holds about a send, to tell of one that failed. */
  readonly recordOf: (send: Each) => Promise<string>;
}

interface Figures {
  rounds: number;
  worstMs: number;
  failed: number;
}

/** Lets faults happen under load, each followed by what must hold after it. */
export class FaultRounds<Each extends Send> {
  readonly #options: Options<Each>;
  readonly #figures = new Map<string, Figures>();
  readonly #wrong: string[] = [];

  constructor(options: Options<Each>) {
    this.#options = options;
  }

  /**
   * One fault under load, which goes on until every server is ready and every number linked. Then each send whose last answer was not a 200 is
   * asked for once more with its key, of whichever server is next, and that must be a 200; only what the network itself fails when it comes there is
   * asked for a second time. Then the recipients are looked at. Resolves to what was wrong.
   */
  async suffer(name: string, fault: Fault): Promise<string[]> {
    const { nodes, senders, load, pace, customers, lossesOf = () => 0, audit, recordOf } = this.#options;
    let running = true;
    pace.refill();
    const working = workOff(load.work(), customers, async (send) => {
      const isRepeat = send.result !== null;
      const answered = await load.ask(nodes.client, send);
      if (!answered || send.result === null) await sleep(afterFailureMs);
      else if (isRepeat && afterRepeatMs > 0) await sleep(afterRepeatMs);
      return running ? undefined : 'stop';
    });
    await sleep(500);
    const begun = await fault();
    const since = typeof begun === 'number' ? begun : performance.now();
    // Much must begin in the moment when things work again, too.
    pace.refill();
    const tookMs = await this.#whole(name, since);
    await nodes.started();
    await waitFor(async () => expect(await nodes.missing(senders)).toEqual([]));
    running = false;
    await working;

    const failed = load.unanswered;
    await workOff(failed, customers, async (send) => {
      for (let tries = 0; tries <= lossesOf(send) && send.result === null; tries++) await load.ask(nodes.client, send);
      if (send.result === null) {
        const told = nodes.explained(`${name}: ${send.key} failed, and so did its one retry when all was well: ${send.refusal}`);
        this.#wrong.push(`${told}\n${await recordOf(send)}`);
      }
      return undefined;
    });
    // So that one that fails is told of once.
    await load.finish(nodes.client);
    this.#wrong.push(...(await audit()).map((what) => `${name}: ${what}`));
    this.#note(name, tookMs, failed.length);
    return this.#wrong.splice(0);
  }

  /** Asks for every key once more, and tells all that was wrong. */
  async wrong(): Promise<string[]> {
    const { nodes, load, customers } = this.#options;
    await workOff(load.answered, customers, async (send) => {
      if (!(await load.ask(nodes.client, send))) this.#wrong.push(`${send.key} was asked again and got no answer`);
      return undefined;
    });
    return [...this.#wrong, ...load.complaints.map((complaint) => nodes.explained(complaint))];
  }

  /** A line for each fault. */
  figures(): string {
    const lines = [...this.#figures].map(
      ([name, { rounds, worstMs, failed }]) =>
        `${name}: all linked after ${(worstMs / 1000).toFixed(1)} s at worst of ${rounds}, ${failed} sends failed and were asked for once more`,
    );
    return [...lines, `${this.#options.load.sends.length} keys in all`, ''].join('\n');
  }

  /** Resolves to how long it took, since that moment, until everything worked. */
  async #whole(name: string, since: number): Promise<number> {
    const { nodes, senders } = this.#options;
    let last: readonly string[] = [];
    for (;;) {
      const missing = await nodes.missing(senders);
      const tookMs = performance.now() - since;
      if (missing.length > 0) last = missing;
      if (missing.length === 0 || tookMs > givenUpMs) {
        if (tookMs > backWithinMs) this.#wrong.push(`${name}: ${Math.round(tookMs)} ms until all worked; missing was ${last.slice(0, 3)}`);
        return tookMs;
      }
      await sleep(100);
    }
  }

  #note(name: string, tookMs: number, failed: number): void {
    const { rounds, worstMs, failed: before } = this.#figures.get(name) ?? { rounds: 0, worstMs: 0, failed: 0 };
    this.#figures.set(name, { rounds: rounds + 1, worstMs: Math.max(worstMs, tookMs), failed: before + failed });
  }
}
