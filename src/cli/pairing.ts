import { z } from 'zod';
import { type Clock, OperatorError } from '../core/index.ts';
import type { Answer, OwnServer } from './own-server.ts';

export interface Pairing {
  readonly server: OwnServer;
  readonly apiKey: string;
  readonly instanceId: string;
  /** Digits to ask a pairing code for; null: QR only. */
  readonly phoneNumber: string | null;
  readonly clock: Clock;
  /** Gives up after this many milliseconds. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Shows a code whenever it changes. */
  show(code: ShownCode): Promise<void>;
}

export interface ShownCode {
  /** What the QR encodes. */
  readonly code: string;
  /** To be typed on the phone instead of scanning; null where there is none. */
  readonly pairingCode: string | null;
  /** Which code of the attempt this is, and how many there are; null while not known. */
  readonly rotation: number | null;
  readonly rotationLimit: number | null;
}

export interface Paired {
  readonly status: string;
  readonly phoneNumber: string | null;
}

// The contract's pace for qr-status.
const pollMs = 2500;
const defaultRetryS = 3;

const qrcode = z.object({ code: z.string(), pairingCode: z.string().nullish() }).nullish();
const qrAnswer = z.object({ data: z.object({ connected: z.boolean(), qrcode }) });
const statusAnswer = z.object({
  data: z.object({
    status: z.string(),
    connected: z.boolean(),
    phone_number: z.string().nullish(),
    qrcode,
    rotation_count: z.number().nullish(),
    rotation_limit: z.number().nullish(),
    exhausted: z.boolean().nullish(),
  }),
});
const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

// Failures that pass by themselves; everything else ends the pairing.
const passing = new Set(['qr_unavailable', 'rate_limit_exceeded', 'upstream_unavailable']);

/**
 * Pairs the instance over the server's own API: asks for a QR code, shows each new one, and watches until the number is linked.
 * Throws OperatorError when it cannot be: refused, exhausted, already connected elsewhere, or out of time. Rejects when aborted.
 */
export async function pair(pairing: Pairing): Promise<Paired> {
  const { clock, signal } = pairing;
  const deadline = clock.now() + pairing.limitMs;
  const path = `/v1/instances/${pairing.instanceId}`;
  const query = pairing.phoneNumber === null ? '' : `?phone_number=${pairing.phoneNumber}`;
  const ask = async <T>(what: string, schema: z.ZodType<T>): Promise<T> => {
    for (;;) {
      if (clock.now() >= deadline) throw new OperatorError('nobody scanned the code in time; run the command again');
      const answer = await pairing.server.get(`${path}/${what}`, { apiKey: pairing.apiKey, signal });
      if (answer.status === 200) return understood(schema, answer, pairing.server.address);
      refuseUnlessPassing(answer, pairing.server.address);
      await pause(clock, (answer.retryAfter ?? defaultRetryS) * 1000, signal);
    }
  };

  const first = (await ask(`qr${query}`, qrAnswer)).data;
  let shown = '';
  let pairingCode: string | null = null;
  const show = async (qr: z.infer<typeof qrcode>, rotation: number | null, rotationLimit: number | null) => {
    if (qr === null || qr === undefined) return;
    pairingCode = qr.pairingCode ?? pairingCode;
    if (shown === `${qr.code} ${pairingCode}`) return;
    shown = `${qr.code} ${pairingCode}`;
    await pairing.show({ code: qr.code, pairingCode, rotation, rotationLimit });
  };

  await show(first.qrcode, null, null);
  if (!first.connected) await pause(clock, pollMs, signal);
  for (;;) {
    const { data } = await ask('qr-status', statusAnswer);
    if (data.connected) return { status: data.status, phoneNumber: data.phone_number ?? null };
    if (data.exhausted === true) throw new OperatorError('all codes of this attempt ran out without a scan; run the command again');
    await show(data.qrcode, data.rotation_count ?? null, data.rotation_limit ?? null);
    await pause(clock, pollMs, signal);
  }
}

function understood<T>(schema: z.ZodType<T>, answer: Answer, address: string): T {
  const parsed = schema.safeParse(answer.body);
  if (!parsed.success) throw notOurs(address);
  return parsed.data;
}

function refuseUnlessPassing(answer: Answer, address: string): void {
  const parsed = errorAnswer.safeParse(answer.body);
  if (!parsed.success) throw notOurs(address);
  const { code, message } = parsed.data.error;
  if (passing.has(code)) return;
  if (code === 'number_already_connected')
    throw new OperatorError('this number is already connected on another instance of the account; the other one keeps working');
  // Its key was just made in the database that these settings name.
  if (code === 'invalid_api_key')
    throw new OperatorError(
      `the server at ${address} uses another database than this command; give both the same DATA_DIR or DATABASE_URL`,
    );
  throw new OperatorError(`the server refused: ${message} (${code})`);
}

function notOurs(address: string): OperatorError {
  return new OperatorError(`what answers at ${address} is not this gateway; check HOST and PORT`);
}

/** Resolves after `ms`; rejects at once when aborted. */
function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = clock.after(ms, resolve);
  return promise.finally(() => {
    timer.cancel();
    signal.removeEventListener('abort', onAbort);
  });
}
