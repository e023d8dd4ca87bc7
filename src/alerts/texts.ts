import type { Translate } from '../language/index.ts';
import { type Condition, everyServer, isCondition } from './conditions/conditions.ts';
import type { Alert } from './webhooks.ts';

type Facts = Omit<Alert, 'text'>;

/** An alert as a sentence without its end. */
export function sentence(t: Translate, alert: Facts): string {
  const { condition, phase } = alert;
  if (!isCondition(condition)) return `${condition} ${phase}: ${accountOf(alert)}`;
  return phase === 'began' ? began(t, condition, alert) : ended(t, condition, alert);
}

function began(t: Translate, condition: Condition, alert: Facts): string {
  const { until, server, reason } = alert;
  const account = accountOf(alert);
  const machine = { server: server ?? '', reason: reason ?? '' };
  switch (condition) {
    case 'number_needs_person':
      return reason === null || reason === 'unlinked'
        ? t('{{number}} is not linked any more and needs a person', { number: numberOf(t, alert) })
        : t('{{number}} is not linked any more and needs a person ({{reason}})', { number: numberOf(t, alert), reason });
    case 'number_restricted':
      return restricted(t, alert);
    case 'trial_nearly_used':
      return t('The trial of {{account}} is nearly used up', { account });
    case 'access_ending':
      return until === null
        ? t('The access of {{account}} ends', { account })
        : t('The access of {{account}} ends on {{when}}', { account, when: until });
    case 'client_version_ending':
      return server === everyServer
        ? t('The WhatsApp version of this gateway is ending: {{reason}}', machine)
        : t('The WhatsApp version of server {{server}} is ending: {{reason}}', machine);
    case 'disk_nearly_full':
      return t('The disk of server {{server}} is nearly full: {{reason}}', machine);
    case 'error_rate_high':
      return t('Many sends fail on server {{server}}: {{reason}}', machine);
    case 'writes_failing':
      return t('Writes to the database fail: {{reason}}', machine);
    case 'mail_unreachable':
      return t('Server {{server}} cannot send mails: {{reason}}', machine);
    case 'server_lost':
      return t('Server {{server}} is gone: {{reason}}', machine);
  }
}

function restricted(t: Translate, alert: Facts): string {
  const { reason, until } = alert;
  const number = numberOf(t, alert);
  if (reason === null)
    return until === null
      ? t('{{number}} is restricted by WhatsApp', { number })
      : t('{{number}} is restricted by WhatsApp until {{when}}', { number, when: until });
  return until === null
    ? t('{{number}} is restricted by WhatsApp ({{reason}})', { number, reason })
    : t('{{number}} is restricted by WhatsApp ({{reason}}) until {{when}}', { number, reason, when: until });
}

function ended(t: Translate, condition: Condition, alert: Facts): string {
  const account = accountOf(alert);
  const server = alert.server ?? '';
  switch (condition) {
    case 'number_needs_person':
      return t('{{number}} no longer needs a person', { number: numberOf(t, alert) });
    case 'number_restricted':
      return t('{{number}} is no longer restricted', { number: numberOf(t, alert) });
    case 'trial_nearly_used':
      return t('The trial of {{account}} has messages left again, or the account was suspended or has another plan', { account });
    case 'access_ending':
      return t('The access of {{account}} was extended, or the account was suspended or has lost its plan', { account });
    case 'client_version_ending':
      return server === everyServer
        ? t('The WhatsApp version of this gateway is up to date again')
        : t('The WhatsApp version of server {{server}} is up to date again, or the server has stopped', { server });
    case 'disk_nearly_full':
      return t('The disk of server {{server}} has enough space again, or the server has stopped', { server });
    case 'error_rate_high':
      return t('Sends on server {{server}} no longer fail often, or there are too few to tell', { server });
    case 'writes_failing':
      return t('Writes to the database succeed again');
    case 'mail_unreachable':
      return t('Server {{server}} sends mails again, has tried none lately, or has stopped', { server });
    case 'server_lost':
      return t('Server {{server}} is back, or has been gone for 6 hours', { server });
  }
}

function accountOf({ account_name, account_id }: Facts): string {
  return account_name ?? account_id ?? '';
}

function numberOf(t: Translate, alert: Facts): string {
  const { label, phone_number, instance_id } = alert;
  const names = { number: phone_number === null ? (instance_id ?? '') : `+${phone_number}`, account: accountOf(alert) };
  return label === null
    ? t('Number {{number}} of {{account}}', names)
    : t('Number {{number}} ({{label}}) of {{account}}', { ...names, label });
}
