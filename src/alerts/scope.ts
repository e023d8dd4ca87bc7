import type { AlertRow, AlertTargetRow, Db } from '../store/index.ts';
import type { AlertContent } from './body.ts';
import { accountsOf } from './queries.ts';

type Scope = Pick<AlertTargetRow, 'account_id' | 'provider_id' | 'conditions' | 'events' | 'confirm_by'>;

/** Whether a target is notified of an alert. `provider_id` of the alert: that of its account at this moment. */
export function concerns(target: Scope, { condition, account_id, provider_id }: AlertRow): boolean {
  if (target.confirm_by !== null || !names(target.conditions, condition)) return false;
  // Alerts of the installation itself are for its operators' targets alone.
  if (provider_id === '') return target.account_id === null && target.provider_id === null;
  if (target.account_id !== null) return target.account_id === account_id;
  return target.provider_id === null || target.provider_id === provider_id;
}

/**
 * What is left of a body for its target at this moment: an account may have gone to another provider since it was made, and the target may have
 * been changed. null: nothing.
 */
export async function inScope<Body extends AlertContent>(db: Db, target: Scope, body: Body): Promise<Body | null> {
  // An address that has not confirmed gets the question and nothing else.
  if ((target.confirm_by !== null) !== (body.type === 'confirm')) return null;
  if (body.type === 'alerts') {
    const ours = await ownedBy(db, target, body.data.alerts);
    const alerts = body.data.alerts.filter((alert) => names(target.conditions, alert.condition) && ours(alert));
    return alerts.length === 0 ? null : { ...body, data: { alerts } };
  }
  if (body.type === 'messages') {
    const ours = await ownedBy(db, target, body.data.events);
    const events = body.data.events.filter((one) => names(target.events, one.event) && ours(one));
    return events.length === 0 ? null : { ...body, data: { events } };
  }
  return body;
}

interface OfAccount {
  readonly account_id: string | null;
}

/** Whether something's account is the provider's now; always true for targets of no provider, whose accounts cannot change. */
async function ownedBy(db: Db, { provider_id }: Scope, some: readonly OfAccount[]): Promise<(one: OfAccount) => boolean> {
  if (provider_id === null) return () => true;
  const ids = [...new Set(some.flatMap(({ account_id }) => account_id ?? []))];
  const own = new Set(await accountsOf(db, provider_id, ids));
  return ({ account_id }) => account_id !== null && own.has(account_id);
}

/** Whether a stored list has this word. It is JSON, in which each word has its quotes. */
function names(list: string, word: string): boolean {
  return list.includes(`"${word}"`);
}
