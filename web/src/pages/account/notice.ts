import type { AccountView } from '../../../../src/portal/wire/account.ts';
import { t } from '../../language/language.ts';
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

/** Why the account cannot send, or soon cannot; null when it can. `now`: ms since 1970. */
export function noticeFor(account: AccountView, now: number): Notice | null {
  const state = accountState(account, now);
  return state === 'active' ? soonOver(account, now) : { kind: 'ended', ...wordsFor(state, account) };
}

function wordsFor(state: Exclude<AccountState, 'active'>, account: AccountView): Omit<Notice, 'kind'> {
  const { access_ends_at, plan, plan_ends_at } = account;
  const helper = whoHelps(account);
  const ask = t('Ask {{helper}}.', { helper });
  const askRunner = t('Ask {{helper}}.', { helper: runner() });
  const untilResumed = t('Until it is resumed, nothing can be sent or changed, and every request from your programs is refused.');
  const stillWorks = t(
    'Your numbers stay linked and nothing is lost. You can still view your numbers, activity, usage, keys, members and audit log, and change your password and two-factor sign-in.',
  );
  switch (state) {
    case 'suspended':
      return {
        title: t('This account was suspended by {{who}}', { who: runner() }),
        text: `${untilResumed} ${stillWorks} ${askRunner}`,
      };
    case 'suspended_by_provider':
      return { title: t('This account was suspended by {{who}}', { who: helper }), text: `${untilResumed} ${stillWorks} ${ask}` };
    case 'provider_suspended':
      return {
        title: t('Your provider was suspended by {{who}}', { who: runner() }),
        text: `${t('Nothing can be sent or changed until the provider is resumed.')} ${stillWorks} ${askRunner}`,
      };
    case 'access_ended':
      return {
        title: t("This account's access has ended"),
        text: `${t('It ended on {{when}}. Nothing can be sent until it is extended; your numbers stay linked.', {
          when: shownMoment(access_ends_at ?? ''),
        })} ${ask}`,
      };
    case 'no_plan':
      return {
        title: t('This account has no plan'),
        text: `${t('Without a plan, nothing can be sent and no numbers can be added.')} ${ask}`,
      };
    case 'plan_ended':
      return {
        title: t('The plan has expired'),
        text: `${t(
          'It ended on {{when}}. Until there is a new plan, nothing can be sent and no numbers can be added. Your numbers stay linked.',
          { when: shownMoment(plan_ends_at ?? '') },
        )} ${ask}`,
      };
    case 'trial_used_up':
      return {
        title: t('The trial messages are used up'),
        text: `${t('All {{limit}} trial messages have been sent. To continue, the account needs another plan.', {
          limit: plan?.trial_message_limit ?? 0,
        })} ${ask}`,
      };
  }
}

function soonOver(account: AccountView, now: number): Notice | null {
  const { access_ends_at, plan_ends_at } = account;
  const ends = [
    { title: t("This account's access ends soon"), at: access_ends_at },
    { title: t('The plan ends soon'), at: plan_ends_at },
  ].flatMap(({ title, at }) => (at !== null && Date.parse(at) - now < soonMs ? [{ title, at }] : []));
  const [first] = ends.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  if (first === undefined) return null;
  return {
    kind: 'ending',
    title: first.title,
    text: t('After {{when}} nothing can be sent; your numbers stay linked. To avoid a gap, ask {{helper}} before then.', {
      when: shownMoment(first.at),
      helper: whoHelps(account),
    }),
  };
}

/** The built-in provider is not a reseller: its accounts belong to the person who runs the gateway. */
function whoHelps({ provider_name }: AccountView): string {
  return provider_name === 'default' ? runner() : t('your provider, {{provider}}', { provider: provider_name });
}

function runner(): string {
  return t('the person who runs this gateway');
}
