import { collectDefaultMetrics, Registry } from 'prom-client';
import type { SessionEvents } from '../sessions/index.ts';
import { type CountedAnswer, countAnswers, countLimits, countOwnership, countStore, type WatchedLimits } from './counters.ts';
import { addGauges, type Sources } from './gauges.ts';

/** Everything that is measured. What happens is counted as it happens; how things are is looked up when somebody asks. */
export interface Metrics extends WatchedLimits {
  /** A request was answered. */
  readonly onAnswered: (answered: CountedAnswer) => void;
  readonly sessions: SessionEvents;
  /** So many calls of the store's hot path ran together. */
  readonly onBatch: (calls: number) => void;
  /** A send took over the claim of an earlier try. */
  readonly onRetaken: () => void;
  /** Adds the state of these to the answers. To be called once. */
  watch(sources: Sources): void;
  /** All of it in Prometheus' text format. Those who ask at the same moment share one answer. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Begins to measure. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  // Processor time, memory, open files, event-loop delay and garbage collection of this process.
  collectDefaultMetrics({ register: registry });
  let rendering: Promise<string> | null = null;
  return {
    onAnswered: countAnswers(registry),
    sessions: countOwnership(registry),
    ...countStore(registry),
    ...countLimits(registry),
    watch: (sources) => addGauges(registry, sources),
    async render() {
      rendering ??= registry.metrics().finally(() => {
        rendering = null;
      });
      return { contentType: registry.contentType, text: await rendering };
    },
  };
}
