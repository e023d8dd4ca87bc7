import type { Day, Ends } from '../../usage/index.ts';
import type { AccountView, FirstSteps } from './account.ts';
import type { AlertTargetView } from './alerts.ts';
import type { HealthCheck, NumberReason, NumberView, OperatorSteps } from './operator.ts';
import type { PortalSession } from './session.ts';

/** GET /portal/api/home: what to know first, of the account that is acted for and of everything that the person administers. */
export interface HomeView {
  /** null: no account is acted for. */
  readonly account: AccountHome | null;
  /** null: the person administers nothing. */
  readonly administered: AdministeredHome | null;
}

/** GET /portal/api/start: what the page that is opened first needs; `home` with ?home=true. */
export interface PortalStart {
  readonly session: PortalSession;
  readonly home: HomeStart | null;
  /** `?last_event_id=` of the stream of events that misses nothing of what happened after this answer; null: there is none to follow. */
  readonly events: string | null;
}

/** What the home page needs. */
export interface HomeStart {
  readonly view: HomeView;
  /** null: no account is acted for. */
  readonly first_steps: FirstSteps | null;
  /** null: the person is no operator. */
  readonly operator_steps: OperatorSteps | null;
}

/** The first of several, at most five. */
export interface Few<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** What there is to know of an account, and as `AdministeredHome` of many. */
interface HomePart {
  /** Numbers that only a person can bring back, as far as the store knows. */
  readonly numbers: Few<HomeNumber>;
  /** Why they do, the reason of most first; empty where `numbers` has them all. */
  readonly reasons: readonly HomeReason[];
  /** Alert targets that nothing arrives at; none for those who may not see them. */
  readonly failing_targets: Few<HomeTarget>;
  readonly sends: Ends;
  /** The last 24 hours, oldest first; the hour that runs is the last. */
  readonly hours: readonly HomeHour[];
  /** The last 30 UTC days, oldest first. */
  readonly days: readonly Day[];
}

export interface AccountHome extends HomePart {
  readonly account: AccountView;
  /** Its accepted sends of the last 24 hours and of a usual day, when they are far more than usual; null: they are not. */
  readonly busy: { readonly sends: number; readonly usual: number } | null;
}

export interface AdministeredHome extends HomePart {
  readonly accounts: number;
  /** What is wrong with the gateway, for operators; null for others. `checks` null: it is still being looked at. */
  readonly health: { readonly checks: readonly HealthCheck[] | null } | null;
  readonly suspended: Few<HomeAccount>;
  /** Accounts whose plan or access has ended. */
  readonly ended: Few<HomeAccount>;
  readonly suspended_providers: Few<{ readonly provider_id: string; readonly name: string }>;
  /** Accounts whose plan or access ends within 7 days, the next one first. */
  readonly ending: Few<HomeAccount & { readonly ends_at: string }>;
  /** Accounts that have used four fifths of their trial. */
  readonly trials: Few<HomeAccount & { readonly used: number; readonly limit: number }>;
  /** Accounts with sends that failed, those with most first. */
  readonly failing: Few<HomeAccount & { readonly failed: number; readonly sends: number }>;
  /** Accounts that send far more than usual: at least 100 accepted sends, and more than three times the mean of seven days. */
  readonly busy: Few<HomeAccount & { readonly sends: number; readonly usual: number }>;
}

export type HomeAccount = Pick<AccountView, 'account_id' | 'name'>;

export interface HomeNumber extends Pick<NumberView, 'instance_id' | 'label' | 'phone_number' | 'account_id' | 'account_name' | 'since'> {
  readonly why: string;
}

export interface HomeReason {
  /** null: nothing that is stored shows it. */
  readonly reason: NumberReason | null;
  readonly count: number;
  /** Since when the first of them does; null as above. */
  readonly since: string | null;
}

export interface HomeTarget extends Pick<AlertTargetView, 'target_id' | 'kind' | 'address'> {
  /** What the last attempt came to. */
  readonly outcome: string | null;
  /** When the delivery was made that did not arrive. */
  readonly at: string;
}

export type { Day as HomeDay, Ends as HomeSends } from '../../usage/index.ts';

export interface HomeHour {
  /** When it began. */
  readonly at: string;
  readonly sends: Ends;
  /** Of the same hour of the week before. */
  readonly week_before: Ends;
}
