import type { Schemas } from './client.ts';

/** What the gateway delivers, by `type`. */
export type WebhookEvent = Schemas['MessagesWebhook'] | Schemas['AlertsWebhook'] | Schemas['TestWebhook'];

/** The request is not from the gateway, was changed on its way, or is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export interface VerifyOptions {
  /** How far the sender's clock may be away, in seconds. */
  readonly toleranceSeconds?: number;
  readonly now?: () => number;
}

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks a delivery by Standard Webhooks and returns it. `body` is the request's body exactly as it came; `secret` begins with `whsec_`. Give
 * both secrets while one replaces the other. `webhook-id` stays the same when a delivery is repeated: do nothing for one that you know.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  const age = Math.abs(now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) throw new WebhookError('webhook-timestamp is too far from the present time.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const given = signatures.flatMap((one) => (one.startsWith('v1,') ? [bytesOf(one.slice(3))] : [])).filter((one) => one !== null);
  for (const one of [secret].flat()) {
    const raw = bytesOf(one.replace(/^whsec_/, ''));
    if (raw === null || raw.length === 0) throw new WebhookError('The secret is not base64: it begins with whsec_.');
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(text) as WebhookEvent;
    }
  }
  throw new WebhookError('webhook-signature is not made with this secret.');
}

function headerOf(headers: HeaderSource, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') throw new WebhookError(`The header ${name} is missing.`);
  return value;
}

/** Base64 as bytes; null for anything else. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
