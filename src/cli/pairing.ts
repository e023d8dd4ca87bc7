import { z } from 'zod';
import { type Clock, OperatorError } from '../core/index.ts';
import { type Restriction, restrictionReasons } from '../networks/index.ts';
import { keepsAway } from '../sessions/index.ts';
import type { CommandEnvironment } from './environment.ts';
import { restrictionText } from './number-words.ts';
import type { Answer, OwnServer } from './own-server.ts';
import { PasskeyPairing, passkeyProgress } from './passkey-pairing.ts';

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
  print(text: string): void;
  nextLine: CommandEnvironment['nextLine'];
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
  /** What the network does not let the number do; null when nothing is known of it. */
  readonly restriction: Restriction | null;
}

/** A code that WhatsApp wants renewed while a phone scans is to be on the screen within a second; the budget is 120 requests a minute. */
const pollMs = 1000;
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
    passkey: passkeyProgress.nullish(),
  }),
});
const restrictedAnswer = z.object({
  data: z.object({ restriction: z.object({ reason: z.enum(restrictionReasons), until: z.iso.datetime().nullable() }) }),
});
const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

// Failures that pass by themselves; everything else ends the pairing.
const passing = new Set(['qr_unavailable', 'rate_limit_exceeded', 'upstream_unavailable']);

/**
 * Pairs the instance over the server's own API: asks for a QR code, shows each new one, and watches until the number is linked.
 * An attempt that breaks off because the connection was lost is begun again.
 * Where the network asks for a passkey it prints what to do and takes the answer.
 * Throws OperatorError when it cannot be: refused, exhausted, the passkey not taken, kept away by the network, already connected elsewhere, or out
 * of time. Rejects when aborted.
 */
export async function pair(pairing: Pairing): Promise<Paired> {
  const { clock, signal } = pairing;
  const deadline = clock.monotonic() + pairing.limitMs;
  const path = `/v1/instances/${pairing.instanceId}`;
  const query = pairing.phoneNumber === null ? '' : `?phone_number=${pairing.phoneNumber}`;
  const get = (what: string) => pairing.server.get(`${path}/${what}`, { apiKey: pairing.apiKey, signal });
  const ask = async <T>(what: string, schema: z.ZodType<T>): Promise<T> => {
    for (;;) {
      if (clock.monotonic() >= deadline) throw new OperatorError('nobody scanned the code in time; run the command again');
      const answer = await get(what);
      if (answer.status === 200) return understood(schema, answer, pairing.server.address);
      const code = refuseUnlessPassing(answer, pairing.server.address);
      // Waiting does not help while the network lets nobody in.
      const restriction = code === 'qr_unavailable' ? restrictionIn(await get('status')) : null;
      if (restriction !== null && keepsAway(restriction))
        throw new OperatorError(`there is no code to scan: ${restrictionText(restriction)}`);
      await pause(clock, (answer.retryAfter ?? defaultRetryS) * 1000, signal);
    }
  };

  const passkey = new PasskeyPairing({
    print: pairing.print,
    nextLine: () => pairing.nextLine(signal),
    get: () => get('passkey'),
    post: (rest, body) => pairing.server.post(`${path}/passkey${rest}`, body, { apiKey: pairing.apiKey, signal }),
  });
  let shown = '';
  let pairingCode: string | null = null;
  const show = async (qr: z.infer<typeof qrcode>, rotation: number | null, rotationLimit: number | null) => {
    if (qr === null || qr === undefined) return;
    pairingCode = qr.pairingCode ?? pairingCode;
    if (shown === `${qr.code} ${pairingCode}`) return;
    shown = `${qr.code} ${pairingCode}`;
    await pairing.show({ code: qr.code, pairingCode, rotation, rotationLimit });
  };
  // The number is linked, whatever becomes of this question.
  const restrictionAtEnd = () => get('status').then(restrictionIn, () => null);
  const begin = async () => {
    // A code of an earlier attempt is worth nothing any more.
    pairingCode = null;
    const { data } = await ask(`qr${query}`, qrAnswer);
    await show(data.qrcode, null, null);
    return data.connected;
  };

  if (!(await begin())) await pause(clock, pollMs, signal);
  for (;;) {
    const { data } = await ask('qr-status', statusAnswer);
    if (data.connected) return { status: data.status, phoneNumber: data.phone_number ?? null, restriction: await restrictionAtEnd() };
    if (data.passkey != null) await passkey.onProgress(data.passkey);
    if (data.exhausted === true) throw new OperatorError('all codes of this attempt ran out without a scan; run the command again');
    await show(data.qrcode, data.rotation_count ?? null, data.rotation_limit ?? null);
    await pause(clock, pollMs, signal);
    if (data.status === 'close') await begin();
  }
}

/** The restriction that an answer to `status` reports. An answer without one, or none at all, is no reason to stop. */
function restrictionIn(answer: Answer): Restriction | null {
  const parsed = restrictedAnswer.safeParse(answer.body);
  if (!parsed.success) return null;
  const { reason, until } = parsed.data.data.restriction;
  return { reason, until: until === null ? null : Date.parse(until) };
}

function understood<T>(schema: z.ZodType<T>, answer: Answer, address: string): T {
  const parsed = schema.safeParse(answer.body);
  if (!parsed.success) throw notOurs(address);
  return parsed.data;
}

/** The code of a failure that passes by itself; throws OperatorError for every other. */
function refuseUnlessPassing(answer: Answer, address: string): string {
  const parsed = errorAnswer.safeParse(answer.body);
  if (!parsed.success) throw notOurs(address);
  const { code, message } = parsed.data.error;
  if (passing.has(code)) return code;
  if (code === 'number_already_connected')
    throw new OperatorError('this phone number is already linked to the account under another ID; that link keeps working');
  // Its key was just made in the database that these settings name.
  if (code === 'invalid_api_key')
    throw new OperatorError(
      `the server at ${address} uses a different database from this command; give both the same DATA_DIR or DATABASE_URL`,
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
