import { hash } from 'node:crypto';
import { keyPrefixes, showAccount } from '../../accounts/index.ts';
import { type FeedEvent, iso } from '../../core/index.ts';
import { instanceView } from '../../http/index.ts';
import { administered } from '../../people/index.ts';
import type { SendRecord } from '../../requests/index.ts';
import type { LiveEvent as HappenedEvent } from '../../sessions/index.ts';
import type { Store } from '../../store/index.ts';
import type { Visitor } from '../person.ts';
import { requestView } from '../views.ts';
import type { LiveEvent } from '../wire/live.ts';
import type { RequestView } from '../wire/sending.ts';

/** What a person's stream shows. */
export interface EventScope {
  /** Differs when something else is to be seen. */
  readonly name: string;
  /** The id of one account, with everything that happens there; `all`: the numbers of many. */
  readonly topic: string;
  /** Whose accounts of `all`; null: everybody's. */
  readonly providers: ReadonlySet<string> | null;
}

/** What the visitor may follow: the account they act for, or as operator or provider admin the numbers of all theirs; null: nothing. */
export function eventScopeOf({ acting, places }: Visitor): EventScope | null {
  if (acting !== null) return { name: acting.accountId, topic: acting.accountId, providers: null };
  if (places.some(({ role }) => role === 'operator')) return { name: 'all', topic: 'all', providers: null };
  const providers = administered(places);
  return providers.length === 0
    ? null
    : { name: hash('sha256', providers.toSorted().join(), 'base64url'), topic: 'all', providers: new Set(providers) };
}

/** What happens, in the portal's words and as far as one scope goes. */
export class Translation {
  readonly #store: Store;
  readonly #scope: EventScope;
  #prefixes: Promise<ReadonlyMap<string, string>> | null = null;
  readonly #providerOf = new Map<string, string>();

  constructor(store: Store, scope: EventScope) {
    this.#store = store;
    this.#scope = scope;
  }

  /** The event as it is sent; null when it is not for this stream. */
  async of({ accountId, at, event }: FeedEvent<HappenedEvent>): Promise<LiveEvent | null> {
    if (!(await this.#sees(accountId))) return null;
    switch (event.type) {
      case 'instance_created':
      case 'instance_changed':
        return { event: 'instance', data: { ...instanceView(event.instance), account_id: accountId } };
      case 'instance_removed':
        return { event: 'instance_removed', data: { instance_id: event.instanceId, account_id: accountId } };
      case 'numbers_stored':
        return { event: 'numbers_stored', data: { instance_ids: event.instanceIds, account_id: accountId } };
      case 'pairing': {
        if (this.#scope.topic === 'all') return null;
        const shown = event.step === 'code' ? { from: iso(at), until: iso(event.expiresAt) } : { from: null, until: null };
        const data = { instance_id: event.instanceId, account_id: accountId, told_at: iso(at) };
        return { event: 'pairing', data: { ...data, code_shown_at: shown.from, code_expires_at: shown.until } };
      }
      case 'send':
        return { event: 'activity', data: await this.#requestOf(event.send) };
    }
  }

  /** Clears the cached accounts and keys, which may have changed. */
  forget(): void {
    this.#prefixes = null;
    this.#providerOf.clear();
  }

  async #sees(accountId: string): Promise<boolean> {
    const { providers } = this.#scope;
    if (providers === null) return true;
    let provider = this.#providerOf.get(accountId);
    if (provider === undefined) {
      provider = (await showAccount(this.#store, accountId)).provider_id;
      this.#providerOf.set(accountId, provider);
    }
    return providers.has(provider);
  }

  async #requestOf(send: SendRecord): Promise<RequestView> {
    this.#prefixes ??= keyPrefixes(this.#store, send.account_id);
    const known = await this.#prefixes;
    if (send.key_id === null || known.has(send.key_id)) return requestView(send, known);
    // A key made since; one that is not listed at all is the command line's own.
    this.#prefixes = keyPrefixes(this.#store, send.account_id);
    return requestView(send, await this.#prefixes);
  }
}
