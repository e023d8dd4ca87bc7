import type { Wire } from '../../../src/coordination/index.ts';

/** A node's way to the others, which a test can cut. */
export interface TestWire {
  readonly wire: Wire;
  /** Resolves when the wire has noticed. */
  cut(): Promise<void>;
  /** Resolves when the wire is up again. */
  mend(): Promise<void>;
}

/** Wires that belong together: of one process, or over Redis. */
export interface TestNodes {
  attach(): Promise<TestWire>;
  dispose(): Promise<void>;
}

/** Resolves when the wire is up, or down. */
export function whenWire(wire: Wire, up: boolean): Promise<void> {
  return new Promise((resolve) => {
    if (wire.up === up) return resolve();
    const forget = wire.onChange((now) => {
      if (now !== up) return;
      forget();
      resolve();
    });
  });
}
