import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type BakeryPortal, startBakeryPortal } from './bakery-portal.ts';

/** Starts the bakery's portal before the tests of a `describe`. A test fails when something went wrong in one of its pages. */
export function useBakeryPortal(options?: Parameters<typeof startBakeryPortal>[0]): Pick<BakeryPortal, 'portal' | 'bakery'> {
  let started: BakeryPortal | null = null;
  const running = (): BakeryPortal => {
    if (started === null) throw new Error('the portal runs only during tests');
    return started;
  };
  beforeAll(async () => {
    started = await startBakeryPortal(options);
  }, 300_000);
  afterEach(async () => expect(await running().portal.leave()).toEqual([]));
  afterAll(() => started?.stop());
  return {
    get portal() {
      return running().portal;
    },
    get bakery() {
      return running().bakery;
    },
  };
}
