import { showAccount } from '../../accounts/index.ts';
import type { FeedEvent } from '../../core/index.ts';
import { newChatsView } from '../../http/index.ts';
import type { SendRecord } from '../../requests/index.ts';
import type { InstanceState, LiveEvent as TellableEvent } from '../../sessions/index.ts';
import type { Store } from '../../store/index.ts';
import { keyPrefixes, requestView } from '../request-view.ts';
import { iso, isoOrNull } from '../times.ts';
import type { LiveEvent, LiveInstance, RequestView } from '../wire/index.ts';
import type { Outlook } from './outlook.ts';

/** What happens, in the portal's words and as far as one outlook goes. */
export class Translation {
  readonly #store: Store;
  readonly #outlook: Outlook;
  #prefixes: Promise<ReadonlyMap<string, string>> | null = null;
  readonly #providerOf = new Map<string, string>();

  constructor(store: Store, outlook: Outlook) {
    this.#store = store;
    this.#outlook = outlook;
  }

  /** The event as it is sent; null when it is not for this stream. */
  async of({ accountId, at, event }: FeedEvent<TellableEvent>): Promise<LiveEvent | null> {
    if (!(await this.#sees(accountId))) return null;
    switch (event.type) {
      case 'instance_created':
      case 'instance_changed':
        return { event: 'instance', data: instanceOf(event.instance, accountId) };
      case 'instance_removed':
        return { event: 'instance_removed', data: { instance_id: event.instanceId, account_id: accountId } };
      case 'numbers_stored':
        return { event: 'numbers_stored', data: { instance_ids: event.instanceIds, account_id: accountId } };
      case 'pairing': {
        if (this.#outlook.scope === 'all') return null;
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
    const { providers } = this.#outlook;
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

function instanceOf(
  { instanceId, label, status, phoneNumber, network, createdAt, restriction, newChats }: InstanceState,
  accountId: string,
): LiveInstance {
  return {
    instance_id: instanceId,
    account_id: accountId,
    label,
    status,
    connected: status === 'open',
    phone_number: phoneNumber,
    network,
    created_at: iso(createdAt),
    new_chats: newChatsView(newChats),
    ...(restriction === null ? {} : { restriction: { reason: restriction.reason, until: isoOrNull(restriction.until) } }),
  };
}
