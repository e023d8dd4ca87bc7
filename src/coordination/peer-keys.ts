import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Clock, Vault } from '../core/index.ts';

const purpose = 'requests between servers';
/** Within this time after a server has found a new key every other one has found it, too. */
const foundMs = 10_000;
/** For so long what is signed with the replaced key is still taken. */
const countsMs = 60_000;

/** What the servers of an installation sign their requests to each other with. */
export interface PeerKeys {
  readonly signing: KeyObject;
  /** Those whose signatures are taken. */
  readonly counting: readonly KeyObject[];
}

/**
 * The present key. When SECRET_KEY is replaced, servers find the new one at different moments, so the replaced one signs and counts a little longer,
 * and then no more: it may have leaked. `look` notes a new key, and is to be called every few seconds.
 */
export function createPeerKeys(
  vault: Pick<Vault, 'current' | 'derive' | 'replacements'>,
  clock: Pick<Clock, 'monotonic'>,
): PeerKeys & { look(): void } {
  let number = vault.current;
  let present = presentOf(vault);
  let replaced: { readonly key: KeyObject; readonly at: number } | null = null;

  function look(): void {
    if (vault.current === number) return;
    replaced = { key: present, at: clock.monotonic() };
    number = vault.current;
    present = presentOf(vault);
  }

  /** The replaced key; null when there is none, or it was replaced longer ago. */
  function replacedWithin(ms: number): KeyObject | null {
    look();
    return replaced !== null && clock.monotonic() - replaced.at < ms ? replaced.key : null;
  }

  return {
    look,
    get signing() {
      return replacedWithin(foundMs) ?? present;
    },
    get counting() {
      const before = replacedWithin(countsMs);
      return before === null ? [present] : [present, before];
    },
  };
}

function presentOf(vault: Pick<Vault, 'derive' | 'replacements'>): KeyObject {
  return createSecretKey(vault.replacements(purpose)[0]?.secret ?? vault.derive(purpose));
}
