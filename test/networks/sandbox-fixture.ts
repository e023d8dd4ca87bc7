import { afterAll, beforeAll } from 'vitest';
import { LastingTime, newId } from '../../src/core/index.ts';
import type { Network, SandboxPhones } from '../../src/networks/index.ts';
import { createSandboxNetwork, type SandboxOptions } from '../../src/networks/sandbox/sandbox-network.ts';
import type { Store } from '../../src/store/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openTestStore, type StoreKind } from '../support/stores.ts';
import type { NetworkFixture } from './fixture.ts';

/** A sandbox network with its phones and the store it is made on. */
export interface SandboxFixture extends NetworkFixture {
  readonly network: Network & SandboxPhones;
  readonly store: Store;
}

/**
 * Opens a store for the tests of the current `describe`, and gives what makes a sandbox on it; `overrides` replace its parts.
 * The tests share the store and keep apart by their accounts.
 */
export function useSandbox(kind: StoreKind): (overrides?: Partial<SandboxOptions>) => Promise<SandboxFixture> {
  let store: Awaited<ReturnType<typeof openTestStore>> | null = null;
  beforeAll(async () => {
    store = await openTestStore(kind);
  });
  afterAll(() => store?.dispose());

  return async (overrides = {}) => {
    if (store === null) throw new Error('the store is not open yet');
    const clock = createManualClock();
    const { db, transaction, deliverToSandbox } = store;
    const network = createSandboxNetwork({ db, transaction, deliverToSandbox, clock, time: new LastingTime(clock), ...overrides });
    const accountId = newId();
    return {
      network,
      store,
      clock,
      accountId,
      codeLifetimesMs: [60_000, 20_000, 20_000, 20_000, 20_000],
      numbers: {
        phones: ['491701234567', '491709999999'],
        ordinary: ['34600111222', '34600111333'],
        notOnNetwork: '34600110000',
        cannotSay: '34600110001',
        answersElsewhere: { dialled: '34600110002', answering: '34600110003' },
        acknowledgementLost: '34600110004',
      },
      async scan(code, phoneNumber) {
        if ((await network.scan(accountId, code, phoneNumber)) === null) throw new Error('no attempt shows this code');
      },
      async unlink(phoneNumber) {
        await network.unlink(accountId, phoneNumber);
      },
      async received(to) {
        return ((await network.messages(accountId, to))?.messages ?? []).map(({ received_at: _, ...message }) => message);
      },
      async close() {},
    };
  };
}
