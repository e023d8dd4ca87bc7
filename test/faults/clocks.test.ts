import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createAccount, createKey, createPlan } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import { startGateway } from '../support/gateway.ts';
import { startRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { linkNumbers } from './customers.ts';
import { createLoadClient, type LoadClient } from './load-client.ts';
import { Nodes } from './nodes.ts';
import { createGround } from './stores.ts';

const units = 10;
/** Its acknowledgements take 3 seconds (decisions §10). */
const slow = '491700000005';

it.each(['halted', 'killed'] as const)(
  'a trial of 10 has 10 messages delivered, also when the server that sends them is %s [trial.outlives]',
  async (fate) => {
    const ground = await createGround('postgres');
    const redis = await startRedis();
    const nodes = new Nodes(ground, redis, { count: 2 });
    onTestFinished(async () => {
      await nodes.stop();
      await redis.dispose();
      await ground.dispose();
    });
    await nodes.start();
    const store = await ground.database.open();
    const now = at(Date.now());
    await createPlan(store, { name: 'ten', messagesPerMinute: 1000, instanceLimit: 1, trialMessages: units }, now);
    const { id: accountId } = await createAccount(store, { name: 'Ada', plan: 'ten' }, now);
    const { key } = await createKey(store, accountId, { label: null }, now);
    const [sender] = await linkNumbers(nodes.client, [{ accountId, key, trial: true, phoneNumber: '491720001000' }]);
    const send = (client: LoadClient) =>
      client
        .call({ path: '/v1/messages/text', key, body: { instance_id: sender?.instanceId, to: slow, text: 'x' } })
        .then(({ status, body }) => (status === 200 ? '200' : String(body.error.code)))
        .catch(() => 'no answer');
    const delivered = async () => (await store.db.selectFrom('sandbox_messages').select('id').execute()).length;
    const owner = await store.db
      .selectFrom('leases')
      .innerJoin('nodes', 'nodes.id', 'leases.node_id')
      .select('nodes.name')
      .executeTakeFirstOrThrow();
    const place = owner.name.endsWith(`:${nodes.pid(0)}`) ? 0 : 1;
    const other = createLoadClient(`http://127.0.0.1:${nodes.ports[1 - place]}`);
    onTestFinished(() => other.close());
    const first = Array.from({ length: units }, () => send(nodes.client));
    await waitFor(async () => expect(await delivered()).toBe(units));
    const struck = fate === 'halted' ? nodes.halt(place, 20_000) : nodes.kill(place);
    // Until another server has the number, nothing is sent.
    for (let answer = 'none yet'; !['200', 'trial_quota_exceeded'].includes(answer); await sleep(250)) answer = await send(other);
    const more = await Promise.all(Array.from({ length: units }, () => send(other)));
    expect(more.filter((answer) => answer === '200')).toEqual([]);
    await struck;
    await Promise.all(first);
    await nodes.started();
    expect(await delivered()).toBe(units);
    const { trial_used: used } = await store.db.selectFrom('accounts').select('trial_used').executeTakeFirstOrThrow();
    expect(used).toBeLessThanOrEqual(units);
  },
);

it('a server whose clock is more than 30 seconds off says so, and one that is more than 5 minutes off does not join others [idem.clock-off]', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.dispose());
  const start = (aheadMs: number) =>
    startGateway('postgres', {
      env: { REDIS_URL: redis.url, SECRET_KEY: 'ab'.repeat(32) },
      overrides: { wallClock: { now: () => Date.now() + aheadMs } },
    });
  for (const [aheadMs, said] of [
    [20_000, null],
    [-40_000, "the clock of this machine is 40 s behind PostgreSQL's"],
  ] as const) {
    const gateway = await start(aheadMs);
    if (said === null) expect(gateway.logged()).not.toContain('clock of this machine');
    else await waitFor(() => expect(gateway.logged()).toContain(said));
    await gateway.stop();
  }
  for (const hours of [-25, 0.1]) await expect(start(hours * 3_600_000)).rejects.toThrow(/more than 5 minutes off does not join/);
});
