import { expect, it } from 'vitest';
import { Semaphore } from '../../src/core/index.ts';
import type { LinkContext } from '../../src/networks/index.ts';
import { LinkKeeper } from '../../src/sessions/link-keeper.ts';
import type { SessionOptions } from '../../src/sessions/session-options.ts';
import type { InstanceRow } from '../../src/store/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { ScriptedLink, ScriptedNetwork } from '../support/scripted-network.ts';

const row = { id: 'number', account_id: 'account', linked: 1, phone_number: '491701234567', restriction_reason: null } as InstanceRow;

it('closes its link at once when it stops, although the store does not answer', async () => {
  const clock = createManualClock();
  const network = new ScriptedNetwork();
  const stored = Promise.withResolvers<void>();
  const counting = Promise.withResolvers<void>();
  network.open = (context: LinkContext) => {
    const link = new ScriptedLink(context);
    network.links.push(link);
    return link;
  };
  const keeper = new LinkKeeper(row, {
    ...({ network, clock, lease: null, logins: new Semaphore(1, 1), log: console, random: () => 0 } as Partial<SessionOptions>),
    proxy: () => null,
    changed: () => undefined,
    happened: () => undefined,
    wantedEvents: () => new Set(),
    seenConnected() {
      counting.resolve();
      return stored.promise;
    },
  } as SessionOptions);
  keeper.resume();
  await clock.advanceAsync(0);
  network.link('number').opens('491701234567');
  await counting.promise;
  const stopped = keeper.stop();
  expect(network.link('number').ended).toBe('closed');
  stored.resolve();
  await stopped;
  expect(keeper.state).toMatchObject({ status: 'connecting', link: null });
});
