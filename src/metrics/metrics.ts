import { collectDefaultMetrics, Registry } from 'prom-client';
import { singleFlight } from '../core/index.ts';
import type { NetworkName } from '../networks/index.ts';
import { addCounters } from './counters.ts';
import { addGauges, type Sources } from './gauges.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Begins to measure, for these networks. Events are counted as they happen; states are looked up when somebody asks. */
export function createMetrics(networks: readonly NetworkName[]) {
  const registry = new Registry();
  // Processor time, memory, open files, event-loop delay and garbage collection of this process.
  collectDefaultMetrics({ register: registry });
  const rendered = singleFlight(() => registry.metrics());
  return {
    ...addCounters(registry, networks),
    /** Adds the state of these to the answers. To be called once. */
    watch: (sources: Sources): void => addGauges(registry, sources),
    /** All of it in Prometheus' text format. Those who ask at the same moment share one answer. */
    async render(): Promise<{ readonly contentType: string; readonly text: string }> {
      return { contentType: registry.contentType, text: await rendered() };
    },
  };
}
