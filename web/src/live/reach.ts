import { answerWatch } from '../api/answer-watch.ts';
import { answersNow } from './answers.ts';

/** How long the server may be away before it is told: a mere reconnection takes less. */
const patienceMs = 2000;
/** While it does not answer it is asked again after a second, then ever more seldom. */
const askAgainMs = 1000;
const longestPauseMs = 5000;
/** After so long without a sign of it the server is asked; a stream says nothing when its connection is gone without a word. */
const quietMs = 20_000;
const lookMs = 5000;

/** Whether the server answers, from everything that the page hears of it. */
class Reach {
  /** When it was heard of last, in ms since 1970. */
  #heardAt = Date.now();
  #doubted = false;
  #silent = false;
  /** Whether it has been doubted for longer than a reconnection takes. */
  #late = false;
  #asking = false;
  /** How often it was asked in vain. */
  #tries = 0;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  #watch: ReturnType<typeof setInterval> | undefined;

  /** The server said something, whatever it was. */
  readonly heard = (): void => {
    this.#heardAt = Date.now();
    this.#doubted = false;
    this.#late = false;
    this.#tries = 0;
    clearTimeout(this.#patience);
    clearTimeout(this.#again);
    this.#tell(false);
  };

  /** A request went without an answer, or the stream broke. */
  readonly doubt = (): void => {
    if (this.#doubted || this.#listeners.size === 0) return;
    this.#doubted = true;
    this.#patience = setTimeout(() => {
      this.#late = true;
      this.#tellIfSilent();
    }, patienceMs);
    void this.ask();
  };

  /** Asks for a sign of life, and doubts when none comes. */
  readonly ask = async (): Promise<void> => {
    if (this.#asking || document.visibilityState === 'hidden') return;
    this.#asking = true;
    const answers = await answersNow();
    this.#asking = false;
    if (answers) return this.heard();
    if (this.#listeners.size === 0) return;
    clearTimeout(this.#again);
    this.#again = setTimeout(() => void this.ask(), Math.min(askAgainMs * ++this.#tries, longestPauseMs));
    this.doubt();
    this.#tellIfSilent();
  };

  /** When the server was heard of last, while it does not answer; null: it does. */
  readonly silentSince = (): number | null => (this.#silent ? this.#heardAt : null);

  /** Tells when `silentSince` changes, until the returned function is called. Only as long as somebody listens the server is asked. */
  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#watch === undefined) {
      this.#watch = setInterval(this.#look, lookMs);
      document.addEventListener('visibilitychange', this.#look);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#watch);
      this.#watch = undefined;
      document.removeEventListener('visibilitychange', this.#look);
      this.heard();
    };
  };

  readonly #look = (): void => {
    if (this.#doubted || Date.now() - this.#heardAt >= quietMs) void this.ask();
  };

  #tellIfSilent(): void {
    if (this.#late && this.#tries > 0) this.#tell(true);
  }

  #tell(silent: boolean): void {
    if (silent === this.#silent) return;
    this.#silent = silent;
    for (const listener of this.#listeners) listener();
  }
}

/** Of this page. */
export const reach = new Reach();
answerWatch.current = reach;
