import { type MessageEvent, messageEvents, noMessageEvents } from '../../networks/index.ts';
import { eventsIn } from './names.ts';
import type { Follower } from './queries.ts';

/** Of which accounts' messages somebody wants to be told what. */
export class Wishes {
  readonly #ofAll: ReadonlySet<MessageEvent>;
  readonly #accounts: ReadonlyMap<string, ReadonlySet<MessageEvent>>;
  readonly #text: string;

  /** `accounts`: those of the providers that followers are of. */
  constructor(followers: readonly Follower[], accounts: readonly { readonly id: string; readonly provider_id: string }[]) {
    const ofAll = followers.filter(({ account_id, provider_id }) => account_id === null && provider_id === null);
    const byProvider = Map.groupBy(followers, ({ provider_id }) => provider_id);
    const ofAccounts = [
      ...followers.flatMap(({ account_id, events }) => (account_id === null ? [] : [{ accountId: account_id, events }])),
      ...accounts.flatMap(({ id, provider_id }) => (byProvider.get(provider_id) ?? []).map(({ events }) => ({ accountId: id, events }))),
    ];
    this.#ofAll = followed(ofAll.map(({ events }) => events));
    this.#accounts = new Map(
      [...Map.groupBy(ofAccounts, ({ accountId }) => accountId)].map(([id, some]) => [
        id,
        followed([...ofAll, ...some].map(({ events }) => events)),
      ]),
    );
    this.#text = JSON.stringify([[...this.#ofAll], [...this.#accounts].map(([id, events]) => [id, [...events]]).sort()]);
  }

  /** Whether there is anybody. */
  get any(): boolean {
    return this.#ofAll.size > 0 || this.#accounts.size > 0;
  }

  of(accountId: string): ReadonlySet<MessageEvent> {
    return this.#accounts.get(accountId) ?? this.#ofAll;
  }

  equal(other: Wishes): boolean {
    return this.#text === other.#text;
  }
}

/** What must be followed for lists of events as they are stored. A message that is read is known by its delivery, which is followed too then. */
function followed(lists: readonly string[]): ReadonlySet<MessageEvent> {
  const wanted = new Set(lists.flatMap(eventsIn));
  const all = wanted.has('read') ? wanted.add('delivered') : wanted;
  return all.size === 0 ? noMessageEvents : new Set(messageEvents.filter((event) => all.has(event)));
}
