import { Counter, Histogram, type Registry } from 'prom-client';

const calls = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** Counts what the store does for sends. */
export function countStore(registry: Registry): { readonly onBatch: (calls: number) => void; readonly onRetaken: () => void } {
  const batches = new Histogram({
    name: 'gateway_store_batch_calls',
    help: 'How many calls of the hot path ran in one transaction or statement.',
    buckets: calls,
    registers: [registry],
  });
  const retaken = new Counter({
    name: 'gateway_claims_retaken_total',
    help: 'Sends that took over the claim of an earlier try with an unknown outcome, and sent under the same message id.',
    registers: [registry],
  });
  return { onBatch: (size) => batches.observe(size), onRetaken: () => retaken.inc() };
}
