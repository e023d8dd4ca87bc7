import type { AccountView } from '../../../../src/portal/wire/index.ts';
import { shownMoment } from '../../parts/shown-moment.ts';

/** What the reader should know of the account's state: that it has ended, or that it will soon. */
export interface Notice {
  readonly kind: 'ended' | 'ending';
  readonly title: string;
  readonly text: string;
}

/** From how long before an end on it is told. */
const soonMs = 14 * 24 * 60 * 60 * 1000;

/** The first thing that stands in the account's way, in the order in which the server looks; null when nothing does. */
export function noticeFor(account: AccountView, now: number): Notice | null {
  const ask = `Ask ${whoHelps(account)}.`;
  const { status, provider_status, access_ends_at, plan, plan_ends_at } = account;
  if (status === 'suspended') {
    return {
      kind: 'ended',
      title: 'This account is suspended',
      text: `Nothing can be sent and every request of your programs is refused until it is resumed. Your numbers stay linked and nothing is lost. ${ask}`,
    };
  }
  if (provider_status === 'suspended') {
    return {
      kind: 'ended',
      title: 'Your provider is suspended',
      text: 'Nothing can be sent for the time being, whoever asks. Your numbers stay linked and nothing is lost. Ask the person who runs this gateway.',
    };
  }
  if (isOver(access_ends_at, now)) {
    return {
      kind: 'ended',
      title: 'The time this account could be used is over',
      text: `It ended on ${shownMoment(access_ends_at)}. Nothing can be sent until the time is extended; your numbers stay linked. ${ask}`,
    };
  }
  if (plan === null) {
    return {
      kind: 'ended',
      title: 'This account has no plan',
      text: `Without a plan nothing can be sent and no number can be added. ${ask}`,
    };
  }
  if (isOver(plan_ends_at, now)) {
    return {
      kind: 'ended',
      title: 'The plan has run out',
      text: `It ended on ${shownMoment(plan_ends_at)}. Nothing can be sent and no number can be added until there is a new plan; your numbers stay linked. ${ask}`,
    };
  }
  if (plan.trial_message_limit !== null && account.trial_used >= plan.trial_message_limit) {
    return {
      kind: 'ended',
      title: 'The messages of the trial are used up',
      text: `All ${plan.trial_message_limit} messages of the trial are sent. To go on, the account needs another plan. ${ask}`,
    };
  }
  const ends = [
    { what: 'The time this account can be used', at: access_ends_at },
    { what: 'The plan', at: plan_ends_at },
  ].flatMap(({ what, at }) => (at !== null && Date.parse(at) - now < soonMs ? [{ what, at }] : []));
  const [first] = ends.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  if (first === undefined) return null;
  return {
    kind: 'ending',
    title: `${first.what} ends soon`,
    text: `After ${shownMoment(first.at)} nothing can be sent; your numbers stay linked. To go on without a gap, ask ${whoHelps(account)} before then.`,
  };
}

function isOver(end: string | null, now: number): end is string {
  return end !== null && Date.parse(end) <= now;
}

/** The provider that every gateway has from its start is no reseller. */
function whoHelps({ provider_name }: AccountView): string {
  return provider_name === 'default' ? 'the person who runs this gateway' : `your provider, ${provider_name}`;
}
