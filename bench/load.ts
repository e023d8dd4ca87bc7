import autocannon from 'autocannon';

/** One kind of request, sent for a while. With several bodies each request takes the next one. */
export interface LoadJob {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly object[];
  readonly keyed: boolean;
  readonly seconds: number;
  /** How many requests are under way at once; absent: 32. */
  readonly connections?: number;
  /** Every request goes to a new recipient, whose number (digits) begins with this. */
  readonly newRecipients?: string;
}

/** Requests per second, latencies in milliseconds. */
export interface LoadResult {
  readonly answered: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
}

let sent = 0;
const sixDigits = (place: number) => String(place).padStart(6, '0');

async function run({ address, headers, bodies, keyed, seconds, connections = 32, newRecipients }: LoadJob): Promise<LoadResult> {
  const texts = bodies.map((fields) => JSON.stringify({ to: '491701234567', text: 'Hello from the benchmark, how are you?', ...fields }));
  const setupRequest = (request: autocannon.Request) => {
    const place = sent++;
    // A header of the same length each time, so that both servers parse the same bytes.
    const key = keyed ? { 'idempotency-key': `bench-${process.pid}-${String(place).padStart(12, '0')}` } : {};
    const known = texts[place % texts.length] ?? '';
    const body = newRecipients === undefined ? known : JSON.stringify({ ...JSON.parse(known), to: newRecipients + sixDigits(place) });
    return { ...request, body, headers: { ...request.headers, ...key } };
  };
  const begun = performance.now();
  const result = await autocannon({
    url: `${address}/v1/messages/text`,
    method: 'POST',
    connections,
    duration: seconds,
    headers: { 'content-type': 'application/json', ...headers },
    body: texts[0] ?? '',
    ...(keyed || texts.length > 1 || newRecipients !== undefined ? { requests: [{ setupRequest }] } : {}),
  });
  return {
    answered: result['2xx'],
    perSecond: result['2xx'] / ((performance.now() - begun) / 1000),
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}

// Does what its parent asks for, one job after the other; a job that cannot be done ends it.
process.on('message', async (job: LoadJob) => process.send?.(await run(job)));
