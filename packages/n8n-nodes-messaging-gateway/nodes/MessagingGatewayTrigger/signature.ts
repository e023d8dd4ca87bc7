import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far the gateway's clock may be away. */
const toleranceSeconds = 300;

interface Delivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body exactly as it came. n8n keeps none of a form with files. */
  readonly body: Buffer | undefined;
}

/** The secrets in a credential: one, or several with spaces between them. */
export function secretsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((one) => one !== '');
}

/** Whether it can be a secret of the gateway: `whsec_` and Base64. */
export function isSecret(text: string): boolean {
  return /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(text);
}

/** Checks a delivery by Standard Webhooks, with any of the secrets. */
export function isSigned({ headers, body }: Delivery, secrets: readonly string[], now = Date.now()): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  if (!(body instanceof Uint8Array)) return false;
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const given = signature.split(' ').flatMap((one) => (one.startsWith('v1,') ? [Buffer.from(one.slice(3), 'base64')] : []));
  return secrets.filter(isSecret).some((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const right = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    return given.some((one) => one.length === right.length && timingSafeEqual(one, right));
  });
}
