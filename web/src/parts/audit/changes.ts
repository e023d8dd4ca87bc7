import type { AuditEntry } from '../../../../src/portal/wire/index.ts';
import { roleName } from '../people/role-name.ts';
import { shownNumber } from '../phone-number.ts';
import { shownMoment } from '../shown-moment.ts';
import { isChange } from './sentence.ts';

/** A changed field in words; null on the side where the object did not exist. */
export interface ShownChange {
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
}

const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  label: 'Name',
  email: 'E-mail',
  prefix: 'Key',
  status: 'State',
  role: 'Role',
  network: 'Network',
  phone_number: 'Number',
  plan: 'Plan',
  plan_starts_at: 'Plan starts',
  plan_ends_at: 'Plan ends',
  access_ends_at: 'Access ends',
  instance_limit: 'Maximum numbers',
  provider_id: 'Provider',
  operator: "Operator's own account",
  free_slots: 'Free slots',
  number_capacity: 'Maximum numbers',
  messages_per_minute: 'Messages per minute',
  trial_message_limit: 'Trial messages',
  two_factor: 'Two-factor',
  suspended_by: 'Suspended by',
  factor: 'With',
  address: 'From',
  attempts: 'Attempts',
  reference: 'Reference',
  default: 'Default plan',
  default_plan: 'Default plan',
  colour: 'Colour',
  sender_name: 'Sender of mails',
  reply_to: 'Answers to mails',
  mail_intro: 'Beginning of mails',
  mail_footer: 'End of mails',
  base_address: 'Base address',
  base_confirmed: 'Base address confirmed',
  logo_digest: 'Logo',
};

const factors: Readonly<Record<string, string>> = { password: 'the password', totp: 'a code from the app', backup_code: 'a backup code' };

/** Actions that remove the target: only the old values are shown. */
const endings = new Set(['delete', 'revoke', 'remove', 'withdraw', 'disconnect']);
/** Actions that create the target: only the new values are shown. */
const beginnings = new Set(['create', 'invite', 'link', 'sign_in', 'sign_in_failed']);

/**
 * The changed fields of an entry in words, without those that tell nothing: `target` is named already. `names` tells what ids stand for,
 * where somebody knows it.
 */
export function shownChanges(
  { action, details }: AuditEntry,
  target: string | null,
  names: Readonly<Record<string, string>>,
): ShownChange[] {
  const verb = action.slice(action.indexOf('.') + 1);
  return Object.entries(details).flatMap(([field, change]) => {
    if (!isChange(change)) return [];
    const begins = beginnings.has(verb) || (verb === 'join' && change.from === null);
    const ends = endings.has(verb);
    const from = shown(field, change.from, names);
    const to = shown(field, change.to, names);
    if (begins || ends) {
      const value = begins ? change.to : change.from;
      // A new thing has many fields without a value, and every one is active.
      if (value === null || value === false || value === 'active' || (begins ? to : from) === target) return [];
    }
    // Two times of the same minute.
    if (from === to) return [];
    return [{ field: fieldNames[field] ?? field, from: begins ? null : from, to: ends ? null : to }];
  });
}

function shown(field: string, value: unknown, names: Readonly<Record<string, string>>): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return value.toLocaleString();
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field.endsWith('_at')) return Number.isNaN(Date.parse(value)) ? value : shownMoment(value);
  if (field === 'phone_number') return shownNumber(value) ?? value;
  if (field === 'role') return roleName(value);
  if (field === 'factor') return factors[value] ?? value;
  return names[value] ?? value;
}
