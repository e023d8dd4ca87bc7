import type { AuditEntry } from '../../../../src/portal/wire/operator.ts';
import { shownCount, t } from '../../language/language.ts';
import { conditionName, eventName, listedNames, shownQuietHours } from '../alerts/words.ts';
import { networkName } from '../number-words.ts';
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
  name: t('Name'),
  label: t('Name'),
  email: t('E-mail address'),
  prefix: t('Key'),
  status: t('State'),
  role: t('Role'),
  network: t('Network'),
  phone_number: t('Number'),
  plan: t('Plan'),
  plan_starts_at: t('Plan starts'),
  plan_ends_at: t('Plan ends'),
  access_ends_at: t('Access ends'),
  instance_limit: t('Maximum numbers'),
  provider_id: t('Provider'),
  operator: t("Operator's own account"),
  free_slots: t('Free slots'),
  number_capacity: t('Maximum numbers'),
  messages_per_minute: t('Messages per minute'),
  trial_message_limit: t('Trial messages'),
  two_factor: t('Two-factor'),
  suspended_by: t('Suspended by'),
  factor: t('With'),
  address: t('From'),
  attempts: t('Attempts'),
  reference: t('Reference'),
  default: t('Default plan'),
  default_plan: t('Default plan'),
  colour: t('Colour'),
  sender_name: t('Sender of e-mails'),
  reply_to: t('Replies to e-mails'),
  mail_intro: t('Beginning of e-mails'),
  mail_footer: t('End of e-mails'),
  base_address: t('Base address'),
  base_confirmed: t('Base address confirmed'),
  logo_digest: t('Logo'),
  conditions: t('Conditions'),
  events: t('Message events'),
  quiet_hours: t('Quiet hours'),
  proxy: t('Proxy'),
  chat_budget: t('Budget of new chats'),
  mailed_to: t('Mailed to'),
};

const factors: Readonly<Record<string, string>> = {
  password: t('the password'),
  totp: t('a code from the app'),
  backup_code: t('a backup code'),
};

const states: Readonly<Record<string, string>> = { active: t('active'), suspended: t('suspended') };

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
  if (value === null || value === undefined) return t('none');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number') return shownCount(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field.endsWith('_at')) return Number.isNaN(Date.parse(value)) ? value : shownMoment(value);
  if (field === 'phone_number') return shownNumber(value) ?? value;
  if (field === 'role') return roleName(value);
  if (field === 'factor') return factors[value] ?? value;
  if (field === 'status') return states[value] ?? value;
  if (field === 'network') return networkName(value);
  if (field === 'conditions') return listedNames(value.split(', ').map(conditionName));
  if (field === 'events') return listedNames(value.split(', ').map(eventName));
  if (field === 'quiet_hours') return quietHoursOf(value);
  return names[value] ?? value;
}

/** As the log keeps them, "22:00-07:00 Europe/Berlin", in words. */
function quietHoursOf(value: string): string {
  const [, quiet_from, quiet_to, time_zone] = /^(\d\d:\d\d)-(\d\d:\d\d) (.+)$/.exec(value) ?? [];
  if (quiet_from === undefined || quiet_to === undefined || time_zone === undefined) return value;
  return shownQuietHours({ quiet_from, quiet_to, time_zone });
}
