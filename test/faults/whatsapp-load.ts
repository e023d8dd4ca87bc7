import type { Sender } from './customers.ts';
import { type Answer, type LoadClient, workOff } from './load-client.ts';
import type { Pace } from './pace.ts';
import type { Seeded } from './seeded.ts';
import { type MediaLinks, mixedContent } from './whatsapp-kinds.ts';

/** One keyed send of a customer and what came of it. */
export interface WhatsAppSend {
  readonly key: string;
  readonly sender: Sender;
  readonly type: string;
  readonly to: string;
  readonly body: object;
  /** Text that the recipient must find in the message. */
  readonly mark: string | null;
  /** `data` of its 200; null until it is answered. */
  result: Readonly<Record<string, unknown>> | null;
  /** The last answer that was not a 200. */
  refusal?: string;
}

export interface WhatsAppLoadOptions {
  readonly random: Seeded;
  readonly senders: readonly Sender[];
  /** How many different people are written to. */
  readonly recipients: number;
  /** The most sends there will be; then answered ones are asked for again. */
  readonly limit?: number;
  /** Has answered ones asked for again while nothing new may begin. */
  readonly pace?: Pace;
  readonly media?: MediaLinks;
  /** Reasons (`details.reason`) for which the network's faults may refuse a send that is asked for again, besides 5xx. */
  readonly excused?: readonly string[];
}

/** The sends of customers that never give up: every key is asked for again until it is answered. */
export class WhatsAppLoad {
  readonly sends: WhatsAppSend[] = [];
  /** What must never happen: an answer outside the envelope, or one that differs from an earlier one. */
  readonly complaints: string[] = [];
  /** How often each error code was answered. */
  readonly errors = new Map<string, number>();
  /** Numbers that are written to. */
  readonly recipients: readonly string[];
  readonly #options: WhatsAppLoadOptions;
  readonly #answered: WhatsAppSend[] = [];

  constructor(options: WhatsAppLoadOptions) {
    this.#options = options;
    this.recipients = Array.from({ length: options.recipients }, (_, n) => `4915150${String(10_000 + n)}`);
  }

  get unanswered(): WhatsAppSend[] {
    return this.sends.filter((send) => send.result === null);
  }

  get answered(): WhatsAppSend[] {
    return this.#answered.slice();
  }

  /** Every unanswered send, some answered ones again, then new ones without end. */
  *work(): Generator<WhatsAppSend> {
    const { random, pace } = this.#options;
    yield* this.unanswered;
    for (;;) {
      if (this.#answered.length > 0 && (random.chance(0.05) || pace?.take() === false)) yield random.pick(this.#answered);
      else yield this.next() ?? random.pick(this.sends);
    }
  }

  /** A new send; null when there are as many as there may be. */
  next(): WhatsAppSend | null {
    const { random, senders, media, limit = Number.POSITIVE_INFINITY } = this.#options;
    const number = this.sends.length;
    if (number >= limit) return null;
    const sender = random.pick(senders);
    const key = `key-${random.seed}-${number}`;
    const { type, fields, mark } = mixedContent(random, `mark-${key}-end`, media ?? null);
    const to = random.pick(this.recipients);
    const send: WhatsAppSend = { key, sender, type, to, mark, body: { instance_id: sender.instanceId, to, ...fields }, result: null };
    this.sends.push(send);
    return send;
  }

  /** Asks for one send; true when it got an answer of whatever kind, false when the connection ended without one. */
  async ask(client: LoadClient, send: WhatsAppSend): Promise<boolean> {
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
    return [[...this.errors].map(([code, count]) => `${count} times ${code}`).join(), ...this.complaints.slice(0, 5)].join('; ');
  }

  #judge(send: WhatsAppSend, { status, body }: Answer): void {
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
    const excused = this.#options.excused?.includes(body.error.details?.reason) === true;
    if (status < 500 && !excused) complain('got an answer it should not get');
    // Only a store that cannot be used may keep back what was answered before.
    else if (send.result !== null && body.error.details?.reason !== 'store_unavailable') complain('was answered before');
  }
}
