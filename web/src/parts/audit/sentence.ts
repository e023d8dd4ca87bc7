import type { ActorView } from '../../../../src/portal/wire/account.ts';
import type { AuditEntry } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';

/** Actions as sentences. */
const sentences: Readonly<Record<string, string>> = {
  'account.create': t('<who/> created the account <target/>'),
  'account.update': t('<who/> changed the account <target/>'),
  'account.suspend': t('<who/> suspended the account <target/>'),
  'account.resume': t('<who/> resumed the account <target/>'),
  'account.note': t('<who/> changed the note about the account <target/>'),
  'account.note_keep': t('<who/> kept the note that a former provider wrote about the account <target/>'),
  'plan.create': t('<who/> created the plan <target/>'),
  'plan.update': t('<who/> changed the plan <target/>'),
  'provider.create': t('<who/> created the provider <target/>'),
  'provider.update': t('<who/> changed the provider <target/>'),
  'provider.suspend': t('<who/> suspended the provider <target/>'),
  'provider.brand': t('<who/> changed the brand of the provider <target/>'),
  'provider.resume': t('<who/> resumed the provider <target/>'),
  'key.create': t('<who/> created the API key <target/>'),
  'key.revoke': t('<who/> revoked the API key <target/>'),
  'key.keep': t('<who/> kept the API key <target/> of a former provider'),
  'number.create': t('<who/> added the number <target/>'),
  'number.rename': t('<who/> renamed the number <target/>'),
  'number.link': t('<who/> linked the number <target/>'),
  'number.disconnect': t('<who/> disconnected the number <target/>'),
  'number.delete': t('<who/> deleted the number <target/>'),
  'number.proxy': t('<who/> changed the proxy of the number <target/>'),
  'number.budget': t('<who/> changed the new-chat budget of the number <target/>'),
  'number.notify': t('<who/> notified the owners of the number <target/>'),
  'number.scan_link': t('<who/> made a scan link for the number <target/>'),
  'number.scan_link_used': t('The scan link that <who/> made for the number <target/> was used up'),
  'alert.create': t('<who/> added the alert target <target/>'),
  'alert.update': t('<who/> changed the alert target <target/>'),
  'alert.remove': t('<who/> removed the alert target <target/>'),
  'alert.secret': t('<who/> replaced the secret of the alert target <target/>'),
  'alert.keep': t('<who/> kept the alert target <target/> of a former provider'),
  'user.invite': t('<who/> invited <target/>'),
  'user.withdraw': t('<who/> withdrew the invitation for <target/>'),
  'user.join': t('<who/> added <target/>'),
  'user.role': t('<who/> changed the role of <target/>'),
  'user.remove': t('<who/> removed a role from <target/>'),
  'user.password': t('<who/> changed the password of <target/>'),
  'user.password_reset': t('<who/> created a password link for <target/>'),
  'user.two_factor': t('<who/> changed the two-factor sign-in of <target/>'),
  'user.backup_codes': t('<who/> created new backup codes for <target/>'),
  'user.sign_in': t('<who/> signed in as <target/>'),
  'user.sign_in_failed': t('<who/> refused a sign-in as <target/>'),
};

/** Actions on oneself: the sentence does not repeat the name. */
const ownSentences: Readonly<Record<string, string>> = {
  'user.join': t('<who/> accepted an invitation'),
  'user.password': t('<who/> chose a new password'),
  'user.two_factor': t('<who/> changed their two-factor sign-in'),
  'user.backup_codes': t('<who/> created new backup codes'),
  'user.sign_in': t('<who/> signed in'),
};

/** What an action does, without who did it to what; null for one of a newer server. */
export function actionName(action: string): string | null {
  return sentences[action]?.replace('<who/>', '').replace('<target/>', '…').replace(/ …$/, '').trim() ?? null;
}

/** Every action that has a sentence. */
export const actions = Object.keys(sentences);

/** One line of the audit log: a sentence with the tags `<who/>` and `<target/>`, and what they stand for. */
export interface Sentence {
  readonly text: string;
  readonly who: string;
  /** null: the sentence needs none. */
  readonly target: string | null;
}

/** Tells an entry of the audit log in words; an action of a newer server is told by its own name. */
export function sentenceOf(entry: AuditEntry): Sentence {
  const target = targetName(entry);
  const own = entry.actor_kind === 'user' && entry.actor_name === target ? ownSentences[entry.action] : undefined;
  if (own !== undefined) return { text: own, who: whoOf(entry), target: null };
  return { text: sentences[entry.action] ?? `<who/> ${entry.action}: <target/>`, who: whoOf(entry), target };
}

const whoOf = ({ actor_kind: kind, actor_name: name }: AuditEntry): string => actorText({ kind, name });

/** How somebody who did something is spoken of. */
export function actorText({ kind, name }: ActorView): string {
  switch (kind) {
    case 'user':
      return name ?? t('Somebody');
    case 'key':
      return name === null ? t('API key') : t('API key {{prefix}}', { prefix: name });
    case 'command_line':
      return t('Command line');
    case 'system':
      return t('The gateway');
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
