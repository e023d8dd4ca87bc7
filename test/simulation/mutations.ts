/** Mistakes that the simulation can be given, each by its own parts, to prove that it finds them. */
export const mutations = {
  no_epoch_check: 'keys are written whatever the epoch',
  new_id_on_retake: 'a retaken claim gets another message id',
  claim_after_hand_over: 'the claim is written only with the settlement',
  socket_closes_late: 'a lease is released before the socket closes',
  dead_claims_stay: 'claims of a node that is gone stay in flight',
  settled_too_early: 'a settlement is answered before it is stored',
  short_leases: 'a lease ends before its owner has to close its links',
  unknown_forgotten: 'a claim is undone although its message may have left',
  takes_what_is_owned: 'numbers are taken that others own',
  releases_others: 'a release undoes the claim of whoever has it',
  keys_expire_early: 'a key is forgotten after twelve hours',
  own_clocks: 'each server judges the age of keys by its own calendar',
  units_end_with_lease: 'what a server has reserved of a trial ends with its lease',
  no_deadline: 'a claim that a crash has left in flight stays in flight',
  future_expiries_stay: 'a lease that ends later than it can is believed',
  reports_overlap: 'reports of statuses do not wait for each other',
  failed_reports_forgotten: 'a report of statuses that failed is not repeated',
  midnight_missed: 'a number counts for one day only',
} as const;

export type Mutation = keyof typeof mutations;
