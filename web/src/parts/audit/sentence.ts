import type { AuditEntry } from '../../../../src/portal/wire/index.ts';

/** An action as the verb of a sentence: somebody … something. */
const verbs: Readonly<Record<string, string>> = {
  'account.create': 'created the account',
  'account.update': 'changed the account',
  'account.suspend': 'suspended the account',
  'account.resume': 'resumed the account',
  'account.note': 'changed the note about the account',
  'plan.create': 'created the plan',
  'plan.update': 'changed the plan',
  'provider.create': 'created the provider',
  'provider.update': 'changed the provider',
  'provider.suspend': 'suspended the provider',
  'provider.brand': 'changed the brand of the provider',
  'provider.resume': 'resumed the provider',
  'key.create': 'created the API key',
  'key.revoke': 'revoked the API key',
  'number.create': 'added the number',
  'number.rename': 'renamed the number',
  'number.link': 'linked the number',
  'number.disconnect': 'disconnected the number',
  'number.delete': 'deleted the number',
  'number.proxy': 'changed the proxy of the number',
  'number.budget': 'changed the new-chat budget of the number',
  'alert.create': 'added the alert target',
  'alert.update': 'changed the alert target',
  'alert.remove': 'removed the alert target',
  'alert.secret': 'replaced the secret of the alert target',
  'user.invite': 'invited',
  'user.withdraw': 'withdrew the invitation for',
  'user.join': 'added',
  'user.role': 'changed the role of',
  'user.remove': 'removed a role from',
  'user.password': 'changed the password of',
  'user.password_reset': 'created a password link for',
  'user.two_factor': 'changed the two-factor sign-in of',
  'user.backup_codes': 'created new backup codes for',
  'user.sign_in': 'signed in as',
  'user.sign_in_failed': 'refused a sign-in as',
};

/** Actions on oneself: the sentence does not repeat the name. */
const ownVerbs: Readonly<Record<string, string>> = {
  'user.join': 'accepted an invitation',
  'user.password': 'chose a new password',
  'user.two_factor': 'changed their two-factor sign-in',
  'user.backup_codes': 'created new backup codes',
  'user.sign_in': 'signed in',
};

/** One line of the audit log as a sentence: who, did what, to what. `target` null: the verb says it all. */
export interface Sentence {
  readonly who: string;
  readonly verb: string;
  readonly target: string | null;
}

/** Tells an entry of the audit log in words; an action of a newer server is told by its own name. */
export function sentenceOf(entry: AuditEntry): Sentence {
  const target = targetName(entry);
  const own = entry.actor_kind === 'user' && entry.actor_name === target ? ownVerbs[entry.action] : undefined;
  if (own !== undefined) return { who: whoOf(entry), verb: own, target: null };
  return { who: whoOf(entry), verb: verbs[entry.action] ?? `${entry.action}:`, target };
}

function whoOf({ actor_kind, actor_name }: AuditEntry): string {
  switch (actor_kind) {
    case 'user':
      return actor_name ?? 'Somebody';
    case 'key':
      return `API key ${actor_name ?? ''}`.trimEnd();
    case 'command_line':
      return 'Command line';
    case 'system':
      return 'The gateway';
  }
}

/** The present name of the target, else its name at the time of the entry. */
function targetName({ target_name, target_id, details }: AuditEntry): string | null {
  if (target_name !== null) return target_name;
  for (const field of ['name', 'email', 'label', 'prefix', 'phone_number', 'address']) {
    const change = details[field];
    if (!isChange(change)) continue;
    const value = change.to ?? change.from;
    if (typeof value === 'string') return field === 'phone_number' ? `+${value}` : value;
  }
  return target_id === null ? null : target_id.slice(0, 8);
}

/** A field's value before and after. */
export interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

export function isChange(value: unknown): value is Change {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}
