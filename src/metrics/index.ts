export { createMetricsPage, openMetricsEndpoint } from './endpoint.ts';
export { createMetrics, type Metrics } from './metrics.ts';
