import type { Sender } from './customers.ts';
import { type Answer, type LoadClient, workOff } from './load-client.ts';
import type { Pace } from './pace.ts';
import type { Seeded } from './seeded.ts';

/** One keyed send of a customer and what came of it. */
export interface KeyedSend {
  readonly key: string;
  readonly sender: Sender;
  readonly type: string;
  readonly to: string;
  readonly body: object;
  /** `data` of its 200; null until it is answered. */
  result: Readonly<Record<string, unknown>> | null;
  /** The last answer that was not a 200. */
  refusal?: string;
}

/** The error of an answer. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** `details.reason`, of any type. */
  readonly reason: unknown;
}

/** What a load sends, and what it may be answered. */
export interface LoadOptions<Send extends KeyedSend> {
  readonly random: Seeded;
  /** Makes the send with this number; null when there are as many as there may be. */
  readonly create: (number: number) => Send | null;
  /** How likely it is that an answered send is asked for again instead of a new one. */
  readonly repeats: number;
  /** Whether a send that is asked for again may get this error. */
  readonly allows: (refusal: Refusal) => boolean;
  /** Has answered ones asked for again while nothing new may begin. */
  readonly pace?: Pace | undefined;
}

/** The sends of customers that never give up: every key is asked for again until it is answered. */
export class KeyedLoad<Send extends KeyedSend = KeyedSend> {
  readonly sends: Send[] = [];
  /** What must never happen: an answer outside the envelope, or one that differs from an earlier one. */
  readonly complaints: string[] = [];
  /** How often each error code was answered. */
  readonly errors = new Map<string, number>();
  readonly #options: LoadOptions<Send>;
  readonly #answered: Send[] = [];

  constructor(options: LoadOptions<Send>) {
    this.#options = options;
  }

  get unanswered(): Send[] {
    return this.sends.filter((send) => send.result === null);
  }

  get answered(): Send[] {
    return this.#answered.slice();
  }

  /** Every unanswered send, some answered ones again, then new ones without end. */
  *work(): Generator<Send> {
    const { random, repeats, pace } = this.#options;
    yield* this.unanswered;
    for (;;) {
      const again = this.#answered.length > 0 && (random.chance(repeats) || pace?.take() === false);
      const fresh = again ? null : this.next();
      yield fresh ?? random.pick(this.#answered);
    }
  }

  /** A new send; null when there are as many as there may be. */
  next(): Send | null {
    const send = this.#options.create(this.sends.length);
    if (send !== null) this.sends.push(send);
    return send;
  }

  /** Asks for one send; true when it got an answer of whatever kind, false when the connection ended without one. */
  async ask(client: LoadClient, send: Send): Promise<boolean> {
    let answer: Answer;
    try {
      answer = await client.call({
        path: `/v1/messages/${send.type}`,
        key: send.sender.key,
        body: send.body,
        headers: { 'idempotency-key': send.key },
      });
    } catch (error) {
      send.refusal = String(error);
      return false;
    }
    this.#judge(send, answer);
    return true;
  }

  /** Asks for the unanswered until all are answered; throws after so many rounds. */
  async finish(client: LoadClient, rounds = 10): Promise<void> {
    for (let round = 0; this.unanswered.length > 0; round++) {
      if (round === rounds) throw new Error(`${this.unanswered.length} sends stay unanswered: ${this.#trouble()}`);
      await workOff(this.unanswered, 16, async (send) => {
        await this.ask(client, send);
        return undefined;
      });
    }
  }

  #trouble(): string {
    const [first] = this.unanswered;
    const counts = [...this.errors].map(([code, count]) => `${count} times ${code}`).join();
    return [`${first?.key} got ${first?.refusal ?? 'no answer'}`, counts, ...this.complaints.slice(0, 5)].join('; ');
  }

  #judge(send: Send, { status, body }: Answer): void {
    const complain = (what: string) => void this.complaints.push(`${send.key} ${what}: ${status} ${JSON.stringify(body)}`);
    if (status === 200) {
      if (send.result === null) {
        send.result = body.data;
        this.#answered.push(send);
      } else if (JSON.stringify(body.data) !== JSON.stringify(send.result))
        complain(`answered otherwise than ${JSON.stringify(send.result)}`);
      return;
    }
    send.refusal = `${status} ${JSON.stringify(body)}`;
    const code: unknown = body?.error?.code;
    if (typeof code !== 'string' || typeof body.request_id !== 'string') {
      complain('got an answer outside the envelope');
      return;
    }
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
    const reason: unknown = body.error.details?.reason;
    if (!this.#options.allows({ status, code, reason })) complain('got an answer it should not get');
    // Only a store that cannot be used may keep back what was answered before.
    else if (send.result !== null && reason !== 'store_unavailable') complain('was answered before');
  }
}
