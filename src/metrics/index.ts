export { createMetricsPage, type MetricsEndpoint, openMetricsEndpoint } from './endpoint.ts';
export { createMetrics, type Metrics } from './metrics.ts';
