import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Portal, type PortalOptions, startPortal } from '../support/portal-browser.ts';
import { type BakeryPortal, startBakeryPortal } from './bakery-portal.ts';

/** Starts a portal before the tests of a `describe`. A test fails when something went wrong in one of its pages; what they show is printed when it fails. */
export function usePortal(options?: PortalOptions): Pick<Portal, 'gateway' | 'visitor'> {
  const started = useStarted(async () => {
    const portal = await startPortal(options);
    return { portal, stop: () => portal.stop() };
  });
  return {
    get gateway() {
      return started().portal.gateway;
    },
    visitor: (visitorOptions) => started().portal.visitor(visitorOptions),
  };
}

/** The same with the bakery's account. */
export function useBakeryPortal(options?: Parameters<typeof startBakeryPortal>[0]): Pick<BakeryPortal, 'portal' | 'bakery'> {
  const started = useStarted(() => startBakeryPortal(options));
  return {
    get portal() {
      return started().portal;
    },
    get bakery() {
      return started().bakery;
    },
  };
}

function useStarted<Started extends Pick<BakeryPortal, 'portal' | 'stop'>>(start: () => Promise<Started>): () => Started {
  let started: Started | null = null;
  const running = (): Started => {
    if (started === null) throw new Error('the portal runs only during tests');
    return started;
  };
  beforeAll(async () => {
    started = await start();
  });
  afterEach(async ({ task }) => {
    const { portal } = running();
    if (task.result?.state === 'fail') for (const page of await portal.shown()) process.stderr.write(`${page}\n`);
    expect(await portal.leave()).toEqual([]);
  });
  afterAll(() => started?.stop());
  return running;
}
