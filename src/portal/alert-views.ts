import {
  type AlertBody,
  type Condition,
  type listDeliveries,
  type listProblems,
  mailOf,
  sentence,
  type Target,
  timeOfDay,
} from '../alerts/index.ts';
import { type Brand, brandedMail, serviceOf } from '../branding/index.ts';
import { iso, isoOrNull } from '../core/index.ts';
import type { Translate } from '../language/index.ts';

type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number];

/** So many sentences of a delivery are shown. */
const sentencesShown = 5;

/** A target as the portal answers it, with what was sent to it last. */
export function targetView(t: Translate, target: Target, last: DeliveryRow | undefined) {
  const { quiet_from, quiet_to, time_zone } = target;
  const quiet = quiet_from !== null && quiet_to !== null;
  return {
    target_id: target.id,
    kind: target.kind,
    address: target.address,
    account_id: target.account_id,
    provider_id: target.provider_id,
    // Only words that the server knows are stored.
    conditions: target.conditions as readonly Condition[],
    events: target.events,
    quiet_from: quiet ? timeOfDay(quiet_from) : null,
    quiet_to: quiet ? timeOfDay(quiet_to) : null,
    time_zone: quiet ? (time_zone ?? 'UTC') : null,
    previous_secret_until: isoOrNull(target.previous_until),
    created_at: iso(target.created_at),
    confirm_by: isoOrNull(target.confirm_by),
    last_delivery: last === undefined ? null : { state: last.state, at: iso(last.at), outcome: inWords(t, last.outcome) },
  };
}

/** A delivery as the portal answers it: of messages only how many events it had, for what became of them is for the webhook alone. */
export function deliveryView(t: Translate, { id, body, state, at, attempts, outcome, next_at, ended_at }: DeliveryRow) {
  // Written by this program.
  const parsed = JSON.parse(body) as AlertBody;
  const alerts = parsed.type === 'alerts' ? parsed.data.alerts : [];
  return {
    delivery_id: id,
    type: parsed.type,
    state,
    at: iso(at),
    attempts,
    outcome: inWords(t, outcome),
    next_at: isoOrNull(next_at),
    ended_at: isoOrNull(ended_at),
    bytes: Buffer.byteLength(body),
    told: alerts.slice(0, sentencesShown).map((alert) => sentence(t, alert)),
    alerts: alerts.length,
    events: parsed.type === 'messages' ? parsed.data.events.length : 0,
  };
}

/** What a delivery sent. */
export function payloadView(t: Translate, kind: Target['kind'], { id, body }: DeliveryRow, brand: Brand | null) {
  // Written by this program.
  const parsed = JSON.parse(body) as AlertBody;
  // The link of a question is made when it is sent, and works for whoever has it.
  const { subject, text } = brandedMail(mailOf(parsed, t, { link: '…', ...serviceOf(brand) }), brand);
  const sent = kind === 'mail' ? `${subject}\n\n${text}` : body;
  return { delivery_id: id, payload: parsed.type === 'messages' ? null : sent };
}

type Problem = NonNullable<Awaited<ReturnType<typeof listProblems>>>[number];

export function problemView({ alert_id, condition, text, account_id, instance_id, at, ended_at }: Problem) {
  return { alert_id, condition, text, account_id, instance_id, began_at: at, ended_at: isoOrNull(ended_at) };
}

/** An outcome as it is stored, in the language; what only programmers can read stays as it is. */
function inWords(t: Translate, outcome: string | null): string | null {
  const [, status] = /^answered (\d+)$/.exec(outcome ?? '') ?? [];
  if (status !== undefined) return t('answered {{status}}', { status });
  switch (outcome) {
    case 'the mail server took it':
      return t('the mail server took it');
    case 'the mail server did not take it':
      return t('the mail server did not take it');
    case 'no mail server is set up (SMTP_URL)':
      return t('no mail server is set up (SMTP_URL)');
    case 'too many mails in this hour; it waits for the next one':
      return t('too many mails in this hour; it waits for the next one');
    case 'it failed unexpectedly; the log says how':
      return t('it failed unexpectedly; the log says how');
    default:
      return outcome;
  }
}
