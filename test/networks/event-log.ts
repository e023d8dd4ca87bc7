import type { LinkEvent } from '../../src/networks/index.ts';

/** Keeps the events of a link, and lets a test wait for it. */
export class EventLog {
  /** All events so far. */
  readonly all: LinkEvent[] = [];
  readonly #react: (event: LinkEvent) => void;
  #read = 0;
  #wake: (() => void) | null = null;

  /** `react` runs first within every event, as a session's own handler would. */
  constructor(react: (event: LinkEvent) => void = () => undefined) {
    this.#react = react;
  }

  /** Give this to the link. */
  readonly onEvent = (event: LinkEvent): void => {
    this.all.push(event);
    this.#react(event);
    this.#wake?.();
  };

  /** Events that `next` has not given yet. */
  get unread(): readonly LinkEvent[] {
    return this.all.slice(this.#read);
  }

  /** The next event; waits for it, and throws when it is of another type. */
  async next<Type extends LinkEvent['type']>(type: Type): Promise<Extract<LinkEvent, { type: Type }>> {
    const event = await this.#take();
    if (!isOfType(event, type)) throw new Error(`expected ${type}, the link emitted ${JSON.stringify(event)}`);
    return event;
  }

  /** Skips events until one of this type, waiting for it. */
  async until<Type extends LinkEvent['type']>(type: Type): Promise<Extract<LinkEvent, { type: Type }>> {
    for (;;) {
      const event = await this.#take();
      if (isOfType(event, type)) return event;
    }
  }

  async #take(): Promise<LinkEvent> {
    for (;;) {
      const event = this.all[this.#read];
      if (event !== undefined) {
        this.#read++;
        return event;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function isOfType<Type extends LinkEvent['type']>(event: LinkEvent, type: Type): event is Extract<LinkEvent, { type: Type }> {
  return event.type === type;
}
