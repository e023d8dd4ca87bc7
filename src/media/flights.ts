import type { Held } from './shared.ts';

/** Work that is done once for all who ask for it at the same time. */
export interface Flights<T> {
  /** Joins the work of this name, or begins it. `take` gets the outcome while it is held, and holds it for itself. */
  join<R>(name: string, begin: () => Promise<Held<T>>, take: (outcome: Held<T>) => R): Promise<R>;
  /** Resolves when everything now under way has ended, well or badly. */
  landed(): Promise<void>;
}

/** Work under way and how many wait for it. */
interface Flight<T> {
  readonly outcome: Promise<Held<T>>;
  waiting: number;
}

export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, Flight<T>>();

  function start(name: string, begin: () => Promise<Held<T>>): Flight<T> {
    // Out of the map before anybody learns the outcome: nobody joins a flight that has landed.
    const outcome = begin().finally(() => flights.delete(name));
    const flight = { outcome, waiting: 0 };
    flights.set(name, flight);
    return flight;
  }

  return {
    async join(name, begin, take) {
      const flight = flights.get(name) ?? start(name, begin);
      flight.waiting += 1;
      try {
        return take(await flight.outcome);
      } finally {
        flight.waiting -= 1;
        // The flight's own hold ends when everybody who waited has one; a failed flight holds nothing.
        if (flight.waiting === 0)
          await flight.outcome.then(
            (held) => held.letGo(),
            () => {},
          );
      }
    },
    async landed() {
      await Promise.allSettled([...flights.values()].map((flight) => flight.outcome));
    },
  };
}
