/** Something on local disk or in memory with several holders: sends that use it, a cache, work under way. The last one to let go disposes of it. */
export interface Shared<T> {
  readonly value: T;
  /** Adds a holder and returns what lets go again (calling that twice is harmless). Only a present holder may add another. */
  hold(): () => Promise<void>;
}

/** A shared thing and what lets go of it. */
export interface Held<T> {
  readonly shared: Shared<T>;
  readonly letGo: () => Promise<void>;
}

/** `dispose` is called once, when nobody holds the value any more. */
export function share<T>(value: T, dispose: (value: T) => Promise<void>): Shared<T> {
  let holders = 0;
  return {
    value,
    hold() {
      holders += 1;
      let held = true;
      return async () => {
        if (!held) return;
        held = false;
        holders -= 1;
        if (holders === 0) await dispose(value);
      };
    },
  };
}

export function held<T>(shared: Shared<T>): Held<T> {
  return { shared, letGo: shared.hold() };
}
