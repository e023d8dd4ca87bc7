import { newId } from '../core/index.ts';
import type { Translate } from '../language/index.ts';
import type { MailText } from '../people/index.ts';
import { isCondition, scopeOf } from './conditions/conditions.ts';
import type { PendingEvent } from './message-events/queries.ts';
import type { NoticeRow } from './queries.ts';
import { sentence } from './texts.ts';
import type { Alert, WebhookContent } from './webhooks.ts';

export type AlertContent = WebhookContent | { readonly type: 'confirm'; readonly data: { readonly of: string; readonly until: string } };

/** The body of a delivery, after the Standard Webhooks specification: a type, a time, and the data. */
export type AlertBody = AlertContent & { readonly timestamp: string };

/** A delivery that is tried at once. */
export function newDelivery(targetId: string, { type, data }: AlertContent, now: number) {
  return {
    id: newId(),
    target_id: targetId,
    body: JSON.stringify({ type, timestamp: new Date(now).toISOString(), data }),
    at: now,
    attempts: 0,
    next_at: now,
    state: 'waiting' as const,
    outcome: null,
    ended_at: null,
  };
}

/** The alerts of these notices. The texts of webhooks are in English, as all of the API. */
export function alertsOf(notices: readonly NoticeRow[], english: Translate): AlertContent {
  return { type: 'alerts', data: { alerts: notices.map((notice) => alertOf(notice, english)) } };
}

export function messagesOf(rows: readonly PendingEvent[]): AlertContent {
  const events = rows.map(({ event, message_id, instance_id, account_id, at }) => ({
    event: `message.${event}`,
    ...{ message_id, instance_id, account_id },
    at: new Date(at).toISOString(),
  }));
  return { type: 'messages', data: { events } };
}

interface MailFacts {
  /** Where an address confirms. */
  readonly link?: string;
  /** Absent: no brand names it. */
  readonly service?: string;
}

/** The mail of a body, without the brand's own texts. Message events go to webhooks alone. */
export function mailOf(body: AlertBody, t: Translate, facts: MailFacts = {}): MailText {
  if (body.type === 'confirm') return confirmationMail(body.data, t, facts);
  if (body.type !== 'alerts') return testMail(t, facts);
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

function testMail(t: Translate, { service }: MailFacts): MailText {
  const text =
    service === undefined
      ? t('Alerts of the messaging gateway reach this address.')
      : t('Alerts of {{service}} reach this address.', { service });
  return { subject: t('Test alert'), text: `${text}\n` };
}

function confirmationMail(
  { of, until }: { readonly of: string; readonly until: string },
  t: Translate,
  { link = '', service }: MailFacts,
): MailText {
  const name = quotedInMail(of);
  const paragraphs = [
    t('Hello,'),
    service === undefined
      ? t('somebody at {{name}} wants alerts of the messaging gateway to be mailed to this address.', { name })
      : t('somebody at {{name}} wants alerts of {{service}} to be mailed to this address.', { name, service }),
    t('Open this link if you want them. It works until {{when}}:', { when: `${until.slice(0, 16).replace('T', ' ')} UTC` }),
    link,
    t('If you do not want them, you can ignore this e-mail: nothing else will be sent to you.'),
  ];
  return { subject: t('Do you want alerts by e-mail?'), text: `${paragraphs.join('\n\n')}\n` };
}

/** One alert, with its sentence in a language. */
export function alertOf(row: NoticeRow, t: Translate): Alert {
  const scope = isCondition(row.condition) ? scopeOf(row.condition) : 'account';
  const alert = {
    alert_id: row.id,
    condition: row.condition,
    phase: row.phase,
    at: new Date(row.noticed_at).toISOString(),
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

function countsOf(alerts: readonly Alert[]): string {
  const counts = Map.groupBy(alerts, ({ condition, phase }) => `${condition.replaceAll('_', ' ')} ${phase}`);
  return [...counts].map(([name, some]) => `${some.length} ${name}`).join(', ');
}

/** So many characters of a customer's text are in a mail. */
const longestQuote = 40;
/** What mail programs make links of: addresses with a scheme, of mailboxes, and of servers, whose last part has letters. */
const address = /\S*(?:[\p{L}\p{N}]:\/\/|@|www[.。．])\S*|\S*[\p{L}\p{N}][.。．](?:\p{L}|xn--)[\p{L}\p{N}-]+\S*/giu;

/**
 * A text that a customer chose, as a mail quotes it: on one line, short, in quotation marks and with nothing that could be followed, so that nobody
 * advertises with what the gateway sends.
 */
export function quotedInMail(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]+/gu, '')
    .replace(/[\p{Cc}\s"“”]+/gu, ' ')
    .replace(address, '…')
    .trim();
  const characters = [...plain];
  return `"${characters.length > longestQuote ? `${characters.slice(0, longestQuote).join('')}…` : plain}"`;
}
