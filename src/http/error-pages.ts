import { catalogue } from '../core/index.ts';

/** The anchor of a code on the docs page. */
export function errorAnchor(code: string): string {
  return `error-${code}`;
}

/**
 * Finds where the docs page explains a code of the API. Only the operator knows an address that everybody can reach (PUBLIC_URL): the one
 * a caller asked at may be a proxy's, and an address that leads nowhere is worse than none.
 */
export function errorPages(publicUrl: string | null): (code: string) => string | null {
  if (publicUrl === null) return () => null;
  const base = `${publicUrl.replace(/\/$/, '')}/docs#`;
  const known = new Map<string, string>(Object.keys(catalogue).map((code) => [code, `${base}${errorAnchor(code)}`]));
  return (code) => known.get(code) ?? null;
}
