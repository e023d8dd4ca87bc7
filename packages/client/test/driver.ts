import { type Answered, ApiError, Gateway, GatewayError, type Message, type PairingStep, verifyWebhook } from '../src/index.ts';
import type { Answer, ClientOptions, Driver, Failure, Outcome, SentAll, SentMessage } from './suite/driver.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the suite asks of a client; each task takes some of it. */
interface Words {
  readonly client: string;
  readonly options: ClientOptions & {
    readonly job: string;
    readonly concurrency?: number;
    readonly interval: number;
    readonly attempts: number;
  };
  readonly method: string;
  readonly arguments: Fields & { readonly id?: string; readonly idempotency_key?: string; readonly deadline?: number };
  readonly messages: readonly Message[];
  readonly done: readonly string[] | null;
  readonly leave_after: number | null;
  readonly throw_after: number | null;
  readonly unrecorded: string | null;
  readonly id: string;
  readonly scan: string | null;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
}

/** The client of this package, for the suite that all clients run: in this process. */
export function startHere(): Driver {
  const clients = new Map<string, Gateway>();
  let answers: Answer[] = [];
  const clientOf = ({ client }: Words): Gateway => {
    const gateway = clients.get(client);
    if (gateway === undefined) throw new Error(`${client} is not open`);
    return gateway;
  };
  const onAnswer = ({ status, requestId, attempts, replayed }: Answered) =>
    answers.push({ status, attempts, replayed, request_id: requestId });

  const tasks: Readonly<Record<string, (words: Words) => unknown>> = {
    open: ({ client, options }) => void clients.set(client, opened(options, onAnswer)),
    call: (words) => call(clientOf(words), words),
    send_all: (words) => sendAll(clientOf(words), words),
    pair: (words) => pair(clientOf(words), words),
    methods: () =>
      Object.getOwnPropertyNames(Gateway.prototype)
        .filter((name) => name !== 'constructor')
        .map(snake)
        .toSorted(),
    verify: ({ body, headers, secret }) => verifyWebhook(body, headers, secret),
  };
  return {
    async run<Result>(task: string, words: Fields): Promise<Outcome<Result>> {
      answers = [];
      try {
        return { result: (await tasks[task]?.(words as unknown as Words)) as Result, answers };
      } catch (error) {
        return { error: described(error), answers };
      }
    },
    async stop() {},
  };
}

function opened({ base_url, api_key, timeout, deadline, backoff }: ClientOptions, onAnswer: (answer: Answered) => void): Gateway {
  const times = Object.entries({ timeoutMs: timeout, deadlineMs: deadline, backoffMs: backoff });
  const given = times.flatMap(([name, seconds]) => (seconds === undefined ? [] : [[name, seconds * 1000]]));
  return new Gateway({ baseUrl: base_url, ...(api_key === undefined ? {} : { apiKey: api_key }), ...Object.fromEntries(given), onAnswer });
}

function call(gateway: Gateway, { method, arguments: { id, idempotency_key, deadline, ...fields } }: Words): unknown {
  const options = {
    ...(deadline === undefined ? {} : { deadlineMs: deadline * 1000 }),
    ...(idempotency_key === undefined ? {} : { idempotencyKey: idempotency_key }),
  };
  const own = id === undefined ? [] : [id];
  const run = (...words: readonly unknown[]): unknown => Reflect.apply(Reflect.get(gateway, method), gateway, words);
  if (method === 'getInstanceQr') return run(...own, { phoneNumber: fields.phone_number, ...options });
  if (method === 'deleteInstance') return run(...own, { logoutOnly: fields.logout_only, ...options });
  return /^(?:get|confirm|listInstances)/.test(method) ? run(...own, options) : run(...own, fields, options);
}

async function sendAll(
  gateway: Gateway,
  { messages, options: { job, concurrency = 8 }, done, leave_after, throw_after, unrecorded }: Words,
): Promise<SentAll> {
  const known = new Set(done);
  const keys = {
    has: (key: string) => known.has(key),
    add(key: string) {
      if (key === unrecorded) throw new Error('The disk is full.');
      known.add(key);
    },
  };
  const sent: SentMessage[] = [];
  let failure: Failure | null = null;
  try {
    const sending = gateway.sendAll(messages, { job, concurrency, ...(done === null ? {} : { done: keys }) });
    for await (const one of sending) {
      const { message, idempotencyKey, result, error } = one;
      sent.push({
        ...{ message: { ...message }, idempotency_key: idempotencyKey, error: error === null ? null : described(error) },
        result: result === null ? null : { message_id: result.message_id ?? '' },
      });
      if (sent.length === leave_after) break;
      if (sent.length === throw_after) await sending.throw(new Error('The reader failed.'));
    }
  } catch (error) {
    failure = described(error);
  }
  return { sent, failure, done: [...known].toSorted() };
}

async function pair(gateway: Gateway, { id, scan, options: { interval, attempts } }: Words): Promise<unknown> {
  const steps: { type: PairingStep['type']; phone_number: string | null }[] = [];
  for await (const step of gateway.pair(id, { intervalMs: interval * 1000, attempts })) {
    steps.push({ type: step.type, phone_number: step.type === 'linked' ? step.phoneNumber : null });
    if (step.type === 'code' && scan !== null) await gateway.sandboxScan({ code: step.qrcode.code, phone_number: scan });
  }
  return steps;
}

function described(error: unknown): Failure {
  if (!(error instanceof Error)) throw error;
  const { name: type, message } = error;
  if (!(error instanceof GatewayError)) return { type, message };
  const { idempotencyKey: idempotency_key, attempts, mayHaveBeenSent: may_have_been_sent } = error;
  const own = { type, message, idempotency_key, attempts, may_have_been_sent };
  if (!(error instanceof ApiError)) return { ...own, ...('status' in error ? { status: error.status as number } : {}) };
  const { code, status, requestId, docUrl, details } = error;
  return { ...own, code, status, request_id: requestId, doc_url: docUrl, details: details as { field?: string } };
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
