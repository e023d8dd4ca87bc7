import { connect, type Socket } from 'node:net';

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What one connection gave for what was written to it. */
export interface Heard {
  readonly answers: readonly RawAnswer[];
  /** What was left that is no whole answer. */
  readonly rest: string;
}

/**
 * Writes the requests, pipelined, on a connection of their own, and reads until each is answered or the server ends the connection.
 * With `end`, says at once that nothing more will come, and reads to the end.
 */
export function exchange(
  address: URL,
  requests: readonly Buffer[],
  options: { end?: boolean; withoutBody?: (n: number) => boolean } = {},
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port: Number(address.port), host: address.hostname, allowHalfOpen: true });
    const answers: RawAnswer[] = [];
    let pending: Buffer = Buffer.alloc(0);
    const done = () => {
      socket.destroy();
      resolve({ answers, rest: pending.toString('latin1') });
    };
    socket.setNoDelay(true);
    socket.setTimeout(60_000, () => {
      socket.destroy();
      reject(new Error(`no answer within a minute to ${JSON.stringify(requests[answers.length]?.toString('latin1').slice(0, 2000))}`));
    });
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      for (let next = takeAnswer(pending, options.withoutBody?.(answers.length) ?? false); next !== null; ) {
        pending = pending.subarray(next.length);
        if (next.answer.status >= 200) answers.push(next.answer);
        next = takeAnswer(pending, options.withoutBody?.(answers.length) ?? false);
      }
      if (options.end !== true && answers.length >= requests.length) done();
    });
    socket.on('end', done);
    // A server may close while there is more to write to it; what it said before counts.
    socket.on('error', done);
    socket.write(Buffer.concat(requests));
    if (options.end === true) socket.end();
  });
}

/** The first whole answer of the bytes and how many of them it is; null while there is none. */
function takeAnswer(bytes: Buffer, withoutBody: boolean): { answer: RawAnswer; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const status = Number(statusLine.split(' ')[1]);
  const bodyLength = withoutBody || status < 200 ? 0 : Number(headers['content-length'] ?? 0);
  const length = headEnd + 4 + bodyLength;
  if (bytes.length < length) return null;
  return { answer: { status, headers, body: bytes.toString('utf8', headEnd + 4, length) }, length };
}
