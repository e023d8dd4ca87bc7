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

const contents: Readonly<Record<string, object>> = {
  text: { text: 'Hello' },
  location: { latitude: 52.5, longitude: 13.4 },
  contact: { contacts: [{ full_name: 'Ada', phone_number: '+49 170 1234567' }] },
  poll: { question: 'Lunch?', options: ['yes', 'no'] },
  reaction: { message_id: 'ABCDEF', emoji: '👍' },
  buttons: { title: 'Choose', buttons: [{ type: 'reply', text: 'A', id: 'a' }] },
  list: { title: 'Menu', button_text: 'Open', sections: [{ title: 'S', rows: [{ title: 'R', row_id: 'r' }] }] },
};

/** The sandbox loses the acknowledgement of what is sent to such a contact first. */
const lostEnding = '0004';

/** Whether the sandbox fails this send when it comes there, and answers only the next try. */
export function losesItsAcknowledgement({ to }: Pick<KeyedSend, 'to'>): boolean {
  return to.endsWith(lostEnding);
}

/** The sends of a customer that never gives up: every key is asked again until it is answered. */
export class KeyedLoad {
  readonly sends: KeyedSend[] = [];
  /** What must never happen: an answer outside the envelope, or one that differs from an earlier one. */
  readonly complaints: string[] = [];
  readonly #random: Seeded;
  readonly #senders: readonly Sender[];
  readonly #perSender: number;
  readonly #pace: Pace | null;
  readonly #answered: KeyedSend[] = [];

  /**
   * `perSender` bounds the sends of each sender: the sandbox keeps only an account's last 1,000 messages. `pace` has what is answered asked for
   * again while nothing new may begin.
   */
  constructor(random: Seeded, senders: readonly Sender[], perSender: number, pace: Pace | null = null) {
    this.#random = random;
    this.#senders = senders;
    this.#perSender = perSender;
    this.#pace = pace;
  }

  get unanswered(): KeyedSend[] {
    return this.sends.filter((send) => send.result === null);
  }

  get answered(): KeyedSend[] {
    return this.#answered.slice();
  }

  /** Every unanswered send, some answered ones again, then new ones without end. */
  *work(): Generator<KeyedSend> {
    yield* this.unanswered;
    for (;;) {
      const again = this.#answered.length > 0 && (this.#random.chance(0.1) || this.#pace?.take() === false);
      const fresh = again ? null : this.#create();
      yield fresh ?? this.#random.pick(this.#answered);
    }
  }

  /** Asks for one send; true when it got an answer of whatever kind, false when the connection ended without one. */
  async ask(client: LoadClient, send: KeyedSend): Promise<boolean> {
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
      if (round === rounds) {
        const [first] = this.unanswered;
        throw new Error(`${this.unanswered.length} sends stay unanswered, such as ${first?.key}: ${first?.refusal ?? 'no answer'}`);
      }
      await workOff(this.unanswered, 16, async (send) => {
        await this.ask(client, send);
        return undefined;
      });
    }
  }

  #create(): KeyedSend | null {
    const number = this.sends.length;
    if (number >= this.#senders.length * this.#perSender) return null;
    const sender = this.#senders[number % this.#senders.length];
    if (sender === undefined) return null;
    const type = this.#random.pick(Object.keys(contents));
    const ending = this.#random.chance(0.1) ? lostEnding : `0${100 + this.#random.below(800)}`;
    const to = `49170${this.#random.below(10)}${ending}`;
    const body = { instance_id: sender.instanceId, to, ...contents[type] };
    const send: KeyedSend = { key: `key-${this.#random.seed}-${number}`, sender, type, to, body, result: null };
    this.sends.push(send);
    return send;
  }

  #judge(send: KeyedSend, { status, body }: Answer): void {
    const complain = (what: string) => void this.complaints.push(`${send.key} ${what}: ${status} ${JSON.stringify(body)}`);
    if (status !== 200) send.refusal = `${status} ${JSON.stringify(body)}`;
    if (status === 200) {
      if (send.result === null) {
        send.result = body.data;
        this.#answered.push(send);
      } else if (JSON.stringify(body.data) !== JSON.stringify(send.result))
        complain(`answered otherwise than ${JSON.stringify(send.result)}`);
    } else if (status !== 502 || body?.error?.code !== 'upstream_unavailable' || typeof body.request_id !== 'string')
      complain('got an answer it should not get');
    // Only a store that cannot be used may keep back what was answered before.
    else if (send.result !== null && body.error.details?.reason !== 'store_unavailable') complain('was answered before');
  }
}
