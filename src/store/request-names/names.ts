import type { RequestRecord } from '../schema.ts';

/** What sends are looked for by: for whom they were, which message they made, or that they failed. */
export type RequestName =
  | { readonly kind: 'recipient' /** Digits. */; readonly value: string }
  | { readonly kind: 'message'; readonly value: string }
  /** Of an account, of a number (its instance id), or of everybody (null). */
  | { readonly kind: 'failed'; readonly value: string | null };

/** The key under which the sends with this name are noted. */
export function keyOf({ kind, value }: RequestName): string {
  return `${kind} ${value ?? ''}`;
}

/** The keys that a request is noted under; none for requests that are no sends. */
export function keysOf(record: RequestRecord): string[] {
  const { account_id, message_type, recipient, message_id, code, instance_id } = record;
  if (account_id === null || message_type === null) return [];
  const names: RequestName[] = [];
  if (recipient !== null) names.push({ kind: 'recipient', value: recipient });
  if (message_id !== null) names.push({ kind: 'message', value: message_id });
  if (code !== null) {
    names.push({ kind: 'failed', value: null }, { kind: 'failed', value: account_id });
    if (instance_id !== null) names.push({ kind: 'failed', value: instance_id });
  }
  return names.map(keyOf);
}
