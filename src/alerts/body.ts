import type { Translate } from '../language/index.ts';
import { isCondition, scopeOf } from './conditions.ts';
import { quotedInMail } from './mails/quoted.ts';
import type { UntoldRow } from './message-events/queries.ts';
import type { NoticeRow } from './queries.ts';
import { sentence, type ToldAlert } from './sentences.ts';

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
  | { readonly type: 'confirm'; readonly timestamp: string; readonly data: { readonly of: string; readonly until: string } }
  | { readonly type: 'test'; readonly timestamp: string; readonly data: { readonly target_id: string } };

/** The body that tells of these. `t` says their texts: those of webhooks are in English, as all of the API. */
export function bodyOf(notices: readonly NoticeRow[], now: number, t: Translate): AlertBody {
  return { type: 'alerts', timestamp: new Date(now).toISOString(), data: { alerts: notices.map((notice) => told(notice, t)) } };
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

/** The mail that says what a body says; `link`: where an address confirms. Message events go to webhooks alone. */
export function mailOf(body: AlertBody, t: Translate, link: string): { readonly subject: string; readonly text: string } {
  if (body.type === 'confirm') return confirmationMail(body.data, t, link);
  if (body.type !== 'alerts') return { subject: t('Test alert'), text: `${t('Alerts of the messaging gateway reach this address.')}\n` };
  const { alerts } = body.data;
  const quoted = (text: string | null) => (text === null ? null : quotedInMail(text));
  const lines = alerts.map((alert) => ({
    at: alert.at,
    text: sentence(t, { ...alert, label: quoted(alert.label), account_name: quoted(alert.account_name) }),
  }));
  const [first] = lines;
  const subject =
    lines.length === 1 && first !== undefined
      ? first.text
      : t('{{count}} alerts: {{kinds}}', { count: alerts.length, kinds: countsOf(alerts), defaultValue_one: '{{count}} alert: {{kinds}}' });
  return { subject: subject.slice(0, 200), text: `${lines.map(({ at, text }) => `${at}  ${text}`).join('\n')}\n` };
}

/** What asks an address whether it wants alerts of this account or provider. */
export function confirmationBody(of: string, { now, until }: { readonly now: number; readonly until: number }): AlertBody {
  return { type: 'confirm', timestamp: new Date(now).toISOString(), data: { of, until: new Date(until).toISOString() } };
}

function confirmationMail({ of, until }: { readonly of: string; readonly until: string }, t: Translate, link: string) {
  const paragraphs = [
    t('Hello,'),
    t('somebody at {{name}} wants alerts of the messaging gateway to be mailed to this address.', { name: quotedInMail(of) }),
    t('Open this link if you want them. It works until {{when}}:', { when: `${until.slice(0, 16).replace('T', ' ')} UTC` }),
    link,
    t('If you do not want them, you can ignore this e-mail: nothing else will be sent to you.'),
  ];
  return { subject: t('Do you want alerts by e-mail?'), text: `${paragraphs.join('\n\n')}\n` };
}

/** What the test of a target sends. */
export function testBody(targetId: string, now: number): AlertBody {
  return { type: 'test', timestamp: new Date(now).toISOString(), data: { target_id: targetId } };
}

function told(row: NoticeRow, t: Translate): ToldAlert {
  const scope = isCondition(row.condition) ? scopeOf(row.condition) : 'account';
  const alert = {
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
  };
  return { ...alert, text: sentence(t, alert) };
}

function countsOf(alerts: readonly ToldAlert[]): string {
  const counts = Map.groupBy(alerts, ({ condition, phase }) => `${condition.replaceAll('_', ' ')} ${phase}`);
  return [...counts].map(([name, some]) => `${some.length} ${name}`).join(', ');
}
