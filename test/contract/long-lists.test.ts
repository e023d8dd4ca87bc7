import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { newId } from '../../src/core/index.ts';
import { instanceView } from '../../src/http/instance-view.ts';
import { stateOf } from '../../src/sessions/index.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { outcome } from './outcome.ts';

let gateway: TestGateway;
afterEach(() => gateway.stop());

it('a list of 5,000 numbers has all of them, and is made in steps between which others have their turn: few while they take long', async () => {
  gateway = await startGateway();
  const customer = await gateway.customer();
  const created_at = gateway.clock.now();
  const ids = Array.from({ length: 5000 }, () => newId());
  await gateway.restart({
    whileDown: async ({ db }) => {
      for (let start = 0; start < ids.length; start += 1000) {
        const rows = ids.slice(start, start + 1000).map((id) => ({
          id,
          account_id: customer.accountId,
          network: 'sandbox',
          label: `Number ${id}`,
          linked: 0,
          conflict: 0,
          created_at: created_at + start,
        }));
        await db.insertInto('instances').values(rows).execute();
      }
    },
  });
  const sessions = gateway.app.sessions.ofAccount(customer.accountId);
  // How often each number was looked at tells how far the list is.
  let seen = 0;
  for (const session of sessions) {
    const { label } = session;
    Object.defineProperty(session, 'label', {
      get: () => {
        seen++;
        return label;
      },
    });
  }
  /** Asks for the list, while others take so long in each turn of the event loop; how many numbers each step had. */
  async function stepsOf(othersMs: number): Promise<number[]> {
    const steps: number[] = [];
    let ended = false;
    const watching = (async () => {
      for (let before = seen; !ended; before = seen) {
        await turn();
        if (seen > before) steps.push(seen - before);
        for (const until = performance.now() + othersMs; performance.now() < until; );
      }
    })();
    const answer = await customer.call('GET', '/v1/instances');
    ended = true;
    await watching;
    expect(outcome(answer)).toBe('200');
    expect(answer.body.data.instances).toEqual(sessions.map((session) => instanceView(stateOf(session))));
    return steps;
  }
  // As much as the others take, and a few milliseconds' worth at most.
  const most = 1_250;
  expect(Math.max(...(await stepsOf(0)))).toBeLessThanOrEqual(most);
  const amongBusyOthers = await stepsOf(20);
  expect(Math.max(...amongBusyOthers)).toBeLessThanOrEqual(most);
  expect(amongBusyOthers.length).toBeLessThanOrEqual(10);
});
