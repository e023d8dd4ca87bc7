import type { Seeded } from '../faults/seeded.ts';
import { keyLastsMs } from './network.ts';
import type { Answer, Asked } from './node.ts';
import type { Schedule } from './schedule.ts';

const exhausted = 'trial_quota_exceeded';

/** What a client can reach: sends the request to some node; the answer is null when the connection ended without one. */
type Reach = (request: Asked, answered: (answer: Answer | null) => void) => void;

interface Options {
  readonly schedule: Schedule;
  readonly random: Seeded;
  readonly reach: Reach;
  readonly violated: (what: string) => void;
  /** Whether a message with this text and id came to its recipient. */
  readonly hasArrived: (text: string, messageId: string) => boolean;
  /** Whether they ask until they have a 200 when the message has a key. */
  readonly patient: boolean;
  /** Whether the trial may have no units left. */
  readonly mayBeRefused: boolean;
}

/** One message and what its senders were answered. With a key they ask until they have a 200; without one they ask once. */
export class ClientSend {
  readonly #options: Options;
  readonly #instanceId: string;
  readonly text: string;
  readonly key: string | null;
  /** What it was answered with 200, and when first. */
  #accepted: { readonly messageId: string; readonly at: number } | null = null;
  /** How many different messages it was answered. */
  acceptances = 0;
  #open = 0;
  /** Whether it came or not is known to nobody who asks: its senders gave up, or the trial had no units left. */
  isLeftOpen = false;
  /** The last answer that was not a 200. */
  refusal = 'no answer';
  #requests = 0;

  constructor(name: string, instanceId: string, keyed: boolean, options: Options) {
    this.#options = options;
    this.#instanceId = instanceId;
    this.text = `${keyed ? 'keyed' : 'plain'} ${name}`;
    this.key = keyed ? `key ${name}` : null;
  }

  get isKeyed(): boolean {
    return this.key !== null;
  }

  /** How many of its senders wait for an answer. */
  get open(): number {
    return this.#open;
  }

  get isAccepted(): boolean {
    return this.acceptances > 0;
  }

  /** One client begins; `again`: how many times more it asks after a 200. */
  begin(again: number): void {
    this.#open++;
    this.#ask(again);
  }

  #ask(again: number): void {
    const { reach, random, schedule } = this.#options;
    const requestId = `${this.text} ${++this.#requests}`;
    const request = { instanceId: this.#instanceId, text: this.text, key: this.key, requestId };
    reach(request, (answer) => {
      const accepted = answer !== null && this.#judge(answer);
      if (this.key === null || (accepted && again === 0)) this.#open--;
      else if (!accepted && this.#givesUp()) this.#open--;
      else if (accepted) schedule.later(random.next() * 15_000, () => this.#ask(again - 1));
      else schedule.later(50 + random.next() * 1500, () => this.#ask(again));
    });
  }

  #givesUp(): boolean {
    const { patient, mayBeRefused } = this.#options;
    if (patient && !(mayBeRefused && this.refusal === exhausted)) return false;
    this.isLeftOpen = true;
    return true;
  }

  #judge({ code, messageId }: Answer): boolean {
    const { violated, hasArrived, schedule } = this.#options;
    if (code !== null) {
      this.refusal = code;
      if (code !== 'upstream_unavailable' && !(code === exhausted && this.#options.mayBeRefused))
        violated(`${this.text} was answered ${code}`);
      return false;
    }
    if (messageId === null || !hasArrived(this.text, messageId)) violated(`${this.text} was answered 200 but did not arrive`);
    const before = this.#accepted;
    if (messageId === null || before?.messageId === messageId) return true;
    if (this.key !== null && before !== null && schedule.now - before.at < keyLastsMs)
      violated(`${this.text} was answered ${before.messageId} and ${messageId}`);
    this.#accepted = { messageId, at: schedule.now };
    this.acceptances++;
    return true;
  }
}
