import { hash } from 'node:crypto';

/** JSON with the keys of every object sorted, so that equal values have equal text (RFC 8785 in spirit; no numbers beyond JSON's own). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`);
    return `{${entries.join(',')}}`;
  }
  return JSON.stringify(value);
}

/** What tells two requests with the same Idempotency-Key apart: the path and the validated body (decisions §3). */
export function fingerprint(path: string, body: unknown): string {
  return hash('sha256', `${path}\n${canonicalJson(body)}`, 'base64');
}
