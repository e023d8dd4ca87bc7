import type { AccountView } from '../../../../src/portal/wire/index.ts';
import { type AccountState, accountState } from '../../parts/account/state.ts';
import { shownMoment } from '../../parts/shown-moment.ts';

/** What the reader should know: that the account cannot send, or that it soon cannot. */
export interface Notice {
  readonly kind: 'ended' | 'ending';
  readonly title: string;
  readonly text: string;
}

/** How long before an end it is announced. */
const soonMs = 14 * 24 * 60 * 60 * 1000;

const runner = 'the person who runs this gateway';
const untilResumed = 'Nothing can be sent or changed, and every request of your programs is refused until it is resumed.';
const stillWorks =
  'Your numbers stay linked and nothing is lost. You can still look at your numbers, activity, usage, keys, members and audit log, and change your password and two-factor.';

/** Why the account cannot send, or soon cannot; null when it can. `now`: ms since 1970. */
export function noticeFor(account: AccountView, now: number): Notice | null {
  const state = accountState(account, now);
  return state === 'active' ? soonOver(account, now) : { kind: 'ended', ...wordsFor(state, account) };
}

function wordsFor(state: Exclude<AccountState, 'active'>, account: AccountView): Omit<Notice, 'kind'> {
  const { access_ends_at, plan, plan_ends_at } = account;
  const ask = `Ask ${whoHelps(account)}.`;
  switch (state) {
    case 'suspended':
      return { title: `This account was suspended by ${runner}`, text: `${untilResumed} ${stillWorks} Ask ${runner}.` };
    case 'suspended_by_provider':
      return { title: `This account was suspended by ${whoHelps(account)}`, text: `${untilResumed} ${stillWorks} ${ask}` };
    case 'provider_suspended':
      return {
        title: `Your provider was suspended by ${runner}`,
        text: `Nothing can be sent or changed until the provider is resumed. ${stillWorks} Ask ${runner}.`,
      };
    case 'access_ended':
      return {
        title: 'The time this account could be used is over',
        text: `It ended on ${shownMoment(access_ends_at ?? '')}. Nothing can be sent until the time is extended; your numbers stay linked. ${ask}`,
      };
    case 'no_plan':
      return {
        title: 'This account has no plan',
        text: `Without a plan nothing can be sent and no number can be added. ${ask}`,
      };
    case 'plan_ended':
      return {
        title: 'The plan has run out',
        text: `It ended on ${shownMoment(plan_ends_at ?? '')}. Nothing can be sent and no number can be added until there is a new plan; your numbers stay linked. ${ask}`,
      };
    case 'trial_used_up':
      return {
        title: 'The messages of the trial are used up',
        text: `All ${plan?.trial_message_limit ?? ''} messages of the trial are sent. To go on, the account needs another plan. ${ask}`,
      };
  }
}

function soonOver(account: AccountView, now: number): Notice | null {
  const { access_ends_at, plan_ends_at } = account;
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

/** The built-in provider is not a reseller: its accounts belong to the person who runs the gateway. */
function whoHelps({ provider_name }: AccountView): string {
  return provider_name === 'default' ? runner : `your provider, ${provider_name}`;
}
