import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Clock, Periodic } from '../core/index.ts';

/** How often the delay is measured, and how long measurements count. */
const everyMs = 20;
const windowMs = 30_000;
/** Fewer looks than these mean little. */
const enoughLooks = 100;

/** By how much timers come late: half of them by no more than `p50Ms`, all but one in a hundred by no more than `p99Ms`. */
export interface EventLoopDelay {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Measures the delay of the event loop, until it is stopped. */
export function watchEventLoop(clock: Clock) {
  const histogram = monitorEventLoopDelay({ resolution: everyMs });
  histogram.enable();
  let lastWindow: EventLoopDelay = { p50Ms: 0, p99Ms: 0 };

  function delay(): EventLoopDelay {
    if (histogram.count === 0) return lastWindow;
    // Node measures the time between two looks; the delay is the part above the planned one.
    const late = (percentile: number) => Math.max(0, Math.round((histogram.percentile(percentile) / 1e6 - everyMs) * 100) / 100);
    return { p50Ms: late(50), p99Ms: late(99) };
  }

  const windows = new Periodic({
    clock,
    everyMs: windowMs,
    work() {
      lastWindow = delay();
      histogram.reset();
    },
  }).start();

  return {
    /** Of the last half minute or so. */
    read: (): EventLoopDelay => (histogram.count < enoughLooks ? lastWindow : delay()),
    async stop(): Promise<void> {
      histogram.disable();
      await windows.stop();
    },
  };
}
