import type { homeView } from '../routes/home.ts';
import type { homeStart } from '../routes/start.ts';
import type { AccountView } from './account.ts';
import type { PortalSession } from './session.ts';

/** GET /portal/api/home: what to know first. `account` null: no account is acted for. `administered` null: the person administers nothing. */
export type HomeView = Awaited<ReturnType<typeof homeView>>;

/** GET /portal/api/start: what the page that is opened first needs. */
export interface PortalStart {
  readonly session: PortalSession;
  /** With ?home=true what the home page needs. `first_steps` null: no account is acted for; `operator_steps` null: the person is no operator. */
  readonly home: Awaited<ReturnType<typeof homeStart>> | null;
  /** `?last_event_id=` of the stream of events that misses nothing of what happened after this answer; null: there is none to follow. */
  readonly events: string | null;
}

/** The first of several, at most five. */
export interface Few<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/**
 * What there is to know of an account, and as `AdministeredHome` of many. `numbers`: those that only a person can bring back, as far as the store knows;
 * `reasons`: why they do, empty where `numbers` has them all. `failing_targets`: alert targets that nothing arrives at; none for those who may not see
 * them. `hours`: the last 24, oldest first; the hour that runs is the last. `days`: the last 30 UTC days, oldest first. `busy`: its accepted sends of the
 * last 24 hours and of a usual day, when they are far more than usual; null: they are not.
 */
export type AccountHome = NonNullable<HomeView['account']>;

/**
 * `health`: what is wrong with the gateway, for operators; null for others. Its `checks` null: it is still being looked at. `ended`: accounts whose plan
 * or access has ended; `ending`: those whose next end is within 7 days, the next one first. `trials`: accounts that have used four fifths of theirs.
 * `failing`: those with sends that failed, those with most first. `busy`: those that send far more than usual: at least 100 accepted sends, and more than
 * three times the mean of seven days.
 */
export type AdministeredHome = NonNullable<HomeView['administered']>;

export type HomeAccount = Pick<AccountView, 'account_id' | 'name'>;

/** Why numbers need a person, the reason of most first. `reason` null: nothing that is stored shows it. `since`: since when the first of them does; null as above. */
export type HomeReason = AccountHome['reasons'][number];

/** `outcome`: what the last attempt came to. `at`: when the delivery was made that did not arrive. */
export type HomeTarget = AccountHome['failing_targets']['items'][number];

export type { Day as HomeDay, Ends as HomeSends } from '../../usage/index.ts';

/** `at`: when it began. `week_before`: of the same hour of the week before. */
export type HomeHour = AccountHome['hours'][number];
