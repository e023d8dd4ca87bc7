import { hash } from 'node:crypto';

/** JSON with the keys of every object sorted, so that equal values have equal text (RFC 8785 in spirit; no numbers beyond JSON's own). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = value as Readonly<Record<string, unknown>>;
    let text = '';
    for (const name of Object.keys(fields).sort()) {
      const item = fields[name];
      if (item !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(item)}`;
    }
    return `{${text}}`;
  }
  return JSON.stringify(value);
}

/** Requests with the same Idempotency-Key must have the same path and validated body (decisions §3). */
export function fingerprint(path: string, body: unknown): string {
  return hash('sha256', `${path}\n${canonicalJson(body)}`, 'base64');
}
