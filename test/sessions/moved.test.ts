import { expect, it } from 'vitest';
import { OwnershipLost, Semaphore } from '../../src/core/index.ts';
import type { OutgoingMessage } from '../../src/networks/index.ts';
import { Session } from '../../src/sessions/session.ts';
import type { SessionOptions } from '../../src/sessions/session-options.ts';
import type { InstanceRow } from '../../src/store/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';

const row = { id: 'number', account_id: 'account', linked: 1, phone_number: '491701234567', restriction_reason: null } as InstanceRow;

/** A linked number that waits for its turn to log in, on a clock that stands still. */
function reconnecting(holdsLeases = () => true): Session {
  const options: Partial<SessionOptions> = {
    ...{ network: new ScriptedNetwork(), clock: createManualClock(), logins: new Semaphore(0, 1), log: console },
    lease: { nodeId: 'node', epoch: 1 },
    holdsLeases,
    chatBudgets: { budget: () => null } as Partial<SessionOptions['chatBudgets']> as SessionOptions['chatBudgets'],
    random: () => 0,
    proxy: () => null,
    changed: () => undefined,
    happened: () => undefined,
  };
  const session = new Session(row, options as SessionOptions);
  session.resume();
  return session;
}

it('lets no send wait for a link that another server opens', async () => {
  const session = reconnecting();
  const sending = session.send({ to: '491701234500' } as OutgoingMessage);
  await session.stop();
  expect(await sending).toEqual({ outcome: 'not_sent' });
  expect(await session.send({ to: '491701234500' } as OutgoingMessage)).toEqual({ outcome: 'not_sent' });
  expect(session.moved).toBe(true);
});

it('says of a check that the number has moved', async () => {
  const session = reconnecting();
  const checking = expect(session.check(['491701234500'])).rejects.toThrow(OwnershipLost);
  await session.stop();
  await checking;
});

it('sends and checks nothing when a halt has lasted longer than the lease, before its end was noticed', async () => {
  const session = reconnecting(() => false);
  expect(await session.send({ to: '491701234500' } as OutgoingMessage)).toEqual({ outcome: 'not_sent' });
  expect(session.moved).toBe(true);
  await session.stop();
});
