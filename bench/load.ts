import autocannon from 'autocannon';

// Sends one kind of request over 32 connections for a while and reports requests per second and latency percentiles to its parent.
const { address, headers, body, keyed, seconds } = JSON.parse(process.argv[2] ?? '{}') as {
  address: string;
  headers: Record<string, string>;
  body: object;
  keyed: boolean;
  seconds: number;
};

let sent = 0;
const result = await autocannon({
  url: `${address}/v1/messages/text`,
  method: 'POST',
  connections: 32,
  duration: seconds,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ ...body, to: '491701234567', text: 'Hello from the benchmark, how are you?' }),
  ...(keyed
    ? {
        requests: [
          {
            // A header of the same length each time, so that both servers parse the same bytes.
            setupRequest: (request: autocannon.Request) => ({
              ...request,
              headers: { ...request.headers, 'idempotency-key': `bench-${process.pid}-${String(sent++).padStart(12, '0')}` },
            }),
          },
        ],
      }
    : {}),
});
process.send?.({
  perSecond: result.requests.average,
  p50: result.latency.p50,
  p99: result.latency.p99,
  failures: result.non2xx + result.errors + result.timeouts,
});
