import type { Watch } from './watch.ts';

/** So many mails in a row tell that it is the server and not one address. */
const enough = 2;
/** Nothing was tried for so long: nobody knows any more. */
const forgetMs = 60 * 60_000;

/** Whether the mail server takes mails, as the last ones showed. */
export class MailWatch implements Watch {
  readonly condition = 'mail_unreachable';
  readonly of = 'server';
  readonly #now: () => number;
  #failures = 0;
  #failedAt = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Watches what this sends. */
  watched<Mail>(send: (to: string, mail: Mail) => Promise<boolean>): (to: string, mail: Mail) => Promise<boolean> {
    return async (to, mail) => {
      const sent = await send(to, mail);
      this.#failures = sent ? 0 : this.#failures + 1;
      if (!sent) this.#failedAt = this.#now();
      return sent;
    };
  }

  look(now: number): string | null {
    if (this.#failures < enough || now - this.#failedAt > forgetMs) return null;
    return `the last ${this.#failures} mails could not be handed over`;
  }
}
