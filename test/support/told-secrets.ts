import { Secrets } from './secrets.ts';

/** The fields of a send's body that hold what people write to each other. */
const written = ['text', 'caption', 'filename', 'question', 'title', 'footer', 'name', 'address'];
/** Shorter texts, such as `Hello`, may stand in a log for other reasons. */
const shortestText = 12;
/** Enough of any test. */
const mostTexts = 100;

/** What the customers of a harness know and its gateway must keep to itself: their keys and the beginnings of what they wrote. */
export class ToldSecrets {
  readonly #secrets = new Secrets();
  #texts = 0;

  addKey(key: string): void {
    this.#secrets.addText('an API key', key);
  }

  /** Anything else that must stay out of every log, such as a password. */
  add(what: string, text: string): void {
    this.#secrets.addText(what, text);
  }

  /** Takes the texts of a send's body. */
  addBody(body: object): void {
    for (const [field, value] of Object.entries(body)) {
      if (!written.includes(field) || typeof value !== 'string' || value.length < shortestText || this.#texts === mostTexts) continue;
      this.#texts++;
      this.#secrets.addText(`a message's ${field}`, value.slice(0, 100));
    }
  }

  /** Throws when the log tells any of it. */
  check(logged: string): void {
    const found = this.#secrets.foundIn(logged);
    if (found.length > 0) throw new Error(`the gateway's log tells ${found.join(', ')}`);
  }
}
