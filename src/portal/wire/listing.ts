/**
 * Every list is asked for and answered in one way: GET …?sort=name (falling: -name)&limit=50 (at most 200)&after=…|before=…, with the filters of the list.
 * `…/ids` answers the ids of all that fit, `….csv` the same rows as a file. Filters, apart from `search`:
 * operator/accounts: state=active|suspended|ended|no_plan|trial_nearly_used|trial_used_up, plan=ID|none, provider_id, ends_within=DAYS, needs_person=1,
 * sends=failing|busy (in the last 24 hours); sort created, name, ends, numbers.
 * operator/numbers: standing, status, network, reason=REASON|restricted, account_id, provider_id; sort created, label, number, account, since. numbers (of the acting account): the same.
 * operator/invitations (that may be used now): role; sort created, email, expires. operator/providers: state=active|suspended; sort created, name, accounts, numbers.
 * operator/users: role; sort created, name, email. keys (of the acting account): state=in_use|revoked; sort created, label, used, revoked.
 * operator/audit, audit (of the acting account): action (whole, or what stands before the dot), actor,
 * name (the beginning of what the object is or was called, or of a word of it), account_id, from, to; sort at.
 */
export interface ListView<Row> {
  readonly rows: readonly Row[];
  /** How many fit altogether; null where that is not counted. */
  readonly total: number | null;
  /** What leads to the next page as `after`; null: there is none. */
  readonly next: string | null;
  /** What leads to the page before as `before`; null: there is none. */
  readonly previous: string | null;
}

/** GET …/ids: the ids of the rows that fit, in the list's order, at most 10,000. */
export interface IdsView {
  readonly ids: readonly string[];
  readonly total: number | null;
}

/**
 * POST operator/accounts/bulk {action: 'suspend' | 'resume' | 'plan' | 'extend' | 'restore' | 'invite', ids, plan?, plan_ends_at?, until? | days?,
 * terms?, email?, role?},
 * operator/numbers/bulk {action: 'disconnect' | 'delete' | 'notify', ids}, numbers/bulk {action: 'disconnect' | 'delete', ids}, operator/users/bulk {action: 'remove_roles', ids, role?},
 * keys/bulk {action: 'revoke', ids}. At most 100 ids; with preview: true nothing is done.
 */
export interface BulkView {
  readonly results: readonly BulkResult[];
}

/** What became of one object; in the order in which they were named. */
export interface BulkResult {
  readonly id: string;
  /** null when there is no such object. */
  readonly name: string | null;
  /**
   * `possible`: it was only looked at, and would be done. `skipped`: there was nothing to do, or it is not allowed. `failed`: it was
   * refused. `unknown`: the server failed, and it may have been done.
   */
  readonly outcome: 'done' | 'possible' | 'skipped' | 'failed' | 'unknown';
  /** Why not; null when it was done or would be. */
  readonly reason: { readonly code: string; readonly message: string } | null;
  /** The one-time link that it made, shown this once where the person may see it. */
  readonly link: string | null;
  /** What takes it back; null: nothing does. */
  readonly before: BulkBefore | null;
  /** What the action makes of an account's terms; null: it leaves them alone. */
  readonly after: BulkTerms | null;
  /** Who gets a mail about it; null: nobody does. */
  readonly mail_to: readonly string[] | null;
  /** The account whose owners get that mail: one for all its objects in a request. */
  readonly mail_account_id: string | null;
}

/** An account's plan, and when it and access end; null: none. */
export interface BulkTerms {
  /** Its id. */
  readonly plan: string | null;
  readonly plan_name: string | null;
  readonly plan_ends_at: string | null;
  readonly access_ends_at: string | null;
}

/** How an account was before. */
export interface BulkBefore extends BulkTerms {
  readonly status: 'active' | 'suspended';
  /** Whose word the suspension was; null: it was active. */
  readonly suspended_by: 'operator' | 'provider' | null;
}
