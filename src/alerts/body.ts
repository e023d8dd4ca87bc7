import { type Condition, isCondition, scopeOf } from './conditions.ts';
import type { UntoldRow } from './message-events/queries.ts';
import type { NoticeRow } from './queries.ts';

/** One alert as a webhook tells it. */
interface ToldAlert {
  readonly alert_id: string;
  readonly condition: string;
  /** Whether it begins or ends with this. */
  readonly phase: 'began' | 'ended';
  readonly at: string;
  /** null when it is about the installation. */
  readonly account_id: string | null;
  readonly account_name: string | null;
  /** The server that it is about, by its name; `gateway` for all of them; null when it is about a number or an account. */
  readonly server: string | null;
  /** null when it is not about a number. */
  readonly instance_id: string | null;
  readonly phone_number: string | null;
  readonly label: string | null;
  readonly reason: string | null;
  readonly until: string | null;
  /** For people. */
  readonly text: string;
}

/** What became of one message as a webhook tells it: neither what was in it nor whom it was for. */
interface ToldEvent {
  readonly event: string;
  readonly message_id: string;
  readonly instance_id: string;
  readonly account_id: string;
  readonly at: string;
}

/** The body of a delivery, after the Standard Webhooks specification: a type, a time, and the data. */
export type AlertBody =
  | { readonly type: 'alerts'; readonly timestamp: string; readonly data: { readonly alerts: readonly ToldAlert[] } }
  | { readonly type: 'messages'; readonly timestamp: string; readonly data: { readonly events: readonly ToldEvent[] } }
  | { readonly type: 'test'; readonly timestamp: string; readonly data: { readonly target_id: string } };

/** The body that tells of these. */
export function bodyOf(notices: readonly NoticeRow[], now: number): AlertBody {
  return { type: 'alerts', timestamp: new Date(now).toISOString(), data: { alerts: notices.map(told) } };
}

/** The body that tells what became of messages. */
export function messagesBody(rows: readonly UntoldRow[], now: number): AlertBody {
  const events = rows.map(({ event, message_id, instance_id, account_id, at }) => ({
    event: `message.${event}`,
    ...{ message_id, instance_id, account_id },
    at: new Date(at).toISOString(),
  }));
  return { type: 'messages', timestamp: new Date(now).toISOString(), data: { events } };
}

/** The mail that says what a body says. Events of messages go to webhooks alone. */
export function mailOf(body: AlertBody): { readonly subject: string; readonly text: string } {
  if (body.type !== 'alerts') return { subject: 'Test of an alert', text: 'Alerts of the messaging gateway reach this address.\n' };
  const { alerts } = body.data;
  const [first] = alerts;
  const subject = alerts.length === 1 && first !== undefined ? first.text : `${alerts.length} alerts: ${countsOf(alerts)}`;
  return { subject: subject.slice(0, 200), text: `${alerts.map(({ at, text }) => `${at}  ${text}`).join('\n')}\n` };
}

/** What the test of a target sends. */
export function testBody(targetId: string, now: number): AlertBody {
  return { type: 'test', timestamp: new Date(now).toISOString(), data: { target_id: targetId } };
}

function told(row: NoticeRow): ToldAlert {
  const scope = isCondition(row.condition) ? scopeOf(row.condition) : 'account';
  return {
    alert_id: row.id,
    condition: row.condition,
    phase: row.phase,
    at: new Date(row.told_at).toISOString(),
    account_id: scope === 'installation' ? null : row.account_id,
    account_name: row.account_name,
    server: scope === 'installation' ? row.subject_id : null,
    instance_id: scope === 'number' ? row.subject_id : null,
    phone_number: row.phone_number,
    label: row.label,
    reason: row.reason,
    until: row.until === null ? null : new Date(row.until).toISOString(),
    text: sentence(row),
  };
}

function sentence(row: NoticeRow): string {
  const account = row.account_name ?? row.account_id;
  const number = `Number ${row.phone_number ?? row.subject_id}${row.label === null ? '' : ` (${row.label})`} of ${account}`;
  const until = row.until === null ? '' : ` until ${new Date(row.until).toISOString()}`;
  if (!isCondition(row.condition)) return `${row.condition} ${row.phase}: ${account}`;
  return row.phase === 'began'
    ? begins(row.condition, { account, number, server: row.subject_id, until, reason: row.reason })
    : ends(row.condition, { account, number, server: row.subject_id });
}

interface Words {
  readonly server: string;
  readonly account: string;
  readonly number: string;
}

function begins(
  condition: Condition,
  { account, number, server, until, reason }: Words & { until: string; reason: string | null },
): string {
  switch (condition) {
    case 'number_needs_person':
      return `${number} is not linked any more and needs a person${reason === null || reason === 'unlinked' ? '' : ` (${reason})`}`;
    case 'number_restricted':
      return `${number} is restricted by WhatsApp${reason === null ? '' : ` (${reason})`}${until}`;
    case 'trial_nearly_used':
      return `The trial of ${account} is nearly used`;
    case 'access_ending':
      return `The access of ${account} ends${until.replace(' until', ' on')}`;
    case 'client_version_ending':
      return `The WhatsApp version of this gateway is ending: ${reason}`;
    case 'disk_nearly_full':
      return `The disk of server ${server} is nearly full: ${reason}`;
    case 'error_rate_high':
      return `Many sends fail on server ${server}: ${reason}`;
    case 'writes_failing':
      return `The database does not take what is written: ${reason}`;
    case 'mail_unreachable':
      return `Server ${server} cannot send mails: ${reason}`;
    case 'server_lost':
      return `Server ${server} is gone: ${reason}`;
  }
}

function ends(condition: Condition, { account, number, server }: Words): string {
  switch (condition) {
    case 'number_needs_person':
      return `${number} needs nobody any more`;
    case 'number_restricted':
      return `${number} is restricted no longer`;
    case 'trial_nearly_used':
      return `The trial of ${account} has messages left again`;
    case 'access_ending':
      return `The access of ${account} was extended`;
    case 'client_version_ending':
      return 'The WhatsApp version of this gateway is good again';
    case 'disk_nearly_full':
      return `The disk of server ${server} has room again`;
    case 'error_rate_high':
      return `Sends on server ${server} succeed again`;
    case 'writes_failing':
      return 'The database takes what is written again';
    case 'mail_unreachable':
      return `Server ${server} sends mails again, or has tried none for an hour`;
    case 'server_lost':
      return `Server ${server} is back, or has been gone for 6 hours`;
  }
}

function countsOf(alerts: readonly ToldAlert[]): string {
  const counts = Map.groupBy(alerts, ({ condition, phase }) => `${condition.replaceAll('_', ' ')} ${phase}`);
  return [...counts].map(([name, some]) => `${some.length} ${name}`).join(', ');
}
