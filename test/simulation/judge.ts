import { utcDay } from '../../src/core/index.ts';
import type { ClientSend } from './client.ts';
import type { SimulatedDatabase } from './database.ts';
import type { SimulatedNetwork } from './network.ts';
import { accountId, dayMs, hourMs, type Plan } from './plan.ts';

/** How long after its time a claim is deleted at the latest: every server looks once an hour, and may be started again. */
const cleanedWithinMs = 4 * hourMs;

/** What is looked at when everything should be done. */
export interface JudgedWorld {
  readonly plan: Plan;
  readonly database: SimulatedDatabase;
  readonly network: SimulatedNetwork;
  readonly instances: readonly string[];
  readonly sends: readonly ClientSend[];
  /** The database's time. */
  readonly now: number;
  /** The days that every number must be counted for, in days since 1970. */
  readonly connectedDays: ReadonlySet<number>;
}

/** What is still to be done; null when nothing is. */
export function unfinished({ sends, instances, network, database }: JudgedWorld): string | null {
  const waiting = sends.find((send) => send.open > 0);
  if (waiting !== undefined) return `${waiting.text} is not answered; the last answer was ${waiting.refusal}`;
  const free = instances.find((id) => !network.isConnected(id));
  if (free !== undefined) return `${free} is not connected`;
  const unreported = database.one<{ instance_id: string; status: string }>("select instance_id, status from leases where status <> 'open'");
  if (unreported !== undefined) return `${unreported.instance_id} is connected, and other servers read ${unreported.status}`;
  const { one } = database.one<{ one: number }>('select count(*) as one from pending_writes') ?? { one: 0 };
  return one > 0 ? `${one} writes are still pending` : null;
}

/** What is wrong when nothing is left to be done. */
export function wrongInTheEnd({ plan, sends, instances, network, database, now, connectedDays }: JudgedWorld): string[] {
  const wrong: string[] = [];
  const count = database.one<{ sum: number | null }>('select sum(count) as sum from usage_sends')?.sum ?? 0;
  const ofMonths = database.one<{ sum: number | null }>('select sum(count) as sum from usage_sends_by_month')?.sum ?? 0;
  if (ofMonths !== count) wrong.push(`${ofMonths} sends are counted for their months, and ${count} for their days`);
  const least = sends.reduce((sum, { acceptances }) => sum + acceptances, 0);
  const most = sends.reduce((sum, { text }) => sum + network.arrivalsOf(text), 0);
  if (count < least || count > most) wrong.push(`${count} sends are counted in the end, not ${least} to ${most}`);
  for (const { text, isKeyed, isLeftOpen, acceptances } of sends) {
    if (isKeyed && !isLeftOpen && acceptances !== network.arrivalsOf(text)) wrong.push(`${text} came without an answer`);
  }
  const used = database.one<{ used: number }>('select trial_used as used from accounts where id = ?', accountId)?.used ?? 0;
  if (plan.trialLimit !== null && used !== count) wrong.push(`${used} units of the trial are used for ${count} sends`);
  if (plan.trialLimit !== null && used > plan.trialLimit) wrong.push(`${used} units of a trial of ${plan.trialLimit} are used`);
  const leftOpen = new Set(sends.filter((send) => send.isLeftOpen).map(({ key }) => key));
  const open = database
    .all<{ key: string; state: string }>("select key, state from claims where state <> 'accepted'")
    .find(({ key }) => !leftOpen.has(key));
  if (open !== undefined) wrong.push(`the claim of ${open.key} is ${open.state} in the end`);
  const old = database.one<{ key: string }>('select key from claims where created_at < ?', now - dayMs - cleanedWithinMs);
  if (old !== undefined) wrong.push(`the claim of ${old.key} is never deleted`);
  for (const day of connectedDays) {
    const counted = database.all('select 1 from usage_number_days where day = ?', utcDay(day * dayMs)).length;
    if (counted !== instances.length) wrong.push(`${counted} numbers are counted for ${utcDay(day * dayMs)}`);
  }
  return wrong;
}
