import autocannon from 'autocannon';

// Sends one kind of request over 32 connections for a while and reports requests per second and latency percentiles to its parent.
// With several bodies each request takes the next one.
const { address, headers, body, bodies, keyed, seconds } = JSON.parse(process.argv[2] ?? '{}') as {
  address: string;
  headers: Record<string, string>;
  body: object;
  bodies?: readonly object[];
  keyed: boolean;
  seconds: number;
};

const textOf = (fields: object) => JSON.stringify({ to: '491701234567', text: 'Hello from the benchmark, how are you?', ...fields });
const texts = bodies?.map(textOf) ?? [textOf(body)];
let sent = 0;
const setupRequest = (request: autocannon.Request) => {
  const place = sent++;
  // A header of the same length each time, so that both servers parse the same bytes.
  const key = keyed ? { 'idempotency-key': `bench-${process.pid}-${String(place).padStart(12, '0')}` } : {};
  return { ...request, body: texts[place % texts.length] ?? '', headers: { ...request.headers, ...key } };
};
const result = await autocannon({
  url: `${address}/v1/messages/text`,
  method: 'POST',
  connections: 32,
  duration: seconds,
  headers: { 'content-type': 'application/json', ...headers },
  body: texts[0] ?? '',
  ...(keyed || texts.length > 1 ? { requests: [{ setupRequest }] } : {}),
});
process.send?.({
  answered: result['2xx'],
  perSecond: result.requests.average,
  p50: result.latency.p50,
  p99: result.latency.p99,
  failures: result.non2xx + result.errors + result.timeouts,
});
