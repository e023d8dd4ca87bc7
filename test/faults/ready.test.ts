import { expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { startRedis } from '../support/redis.ts';
import { refusal } from '../support/refusal.ts';
import { waitFor } from '../support/wait-for.ts';

it('a server of several says when it should get no requests, and that Redis is away', async () => {
  const redis = await startRedis();
  const gateway = await startGateway('postgres', { env: { REDIS_URL: redis.url, SECRET_KEY: 'ab'.repeat(32) } });
  const ready = () => gateway.call('GET', '/health/ready');
  const health = () => gateway.call('GET', '/health');
  try {
    const { leases } = gateway.app.store;
    const [node] = (await leases?.nodes()) ?? [];
    if (leases === null || node === undefined) throw new Error('it is no node');
    expect(await ready()).toMatchObject({ status: 200, body: { data: { status: 'ok' } } });

    await leases.drain(node.id, true);
    await waitFor(async () => expect(await ready()).toMatchObject(refusal(503, 'upstream_unavailable', { reason: 'draining' })));
    expect(await health()).toMatchObject({ status: 200 });
    await leases.drain(node.id, false);
    await waitFor(async () => expect(await ready()).toMatchObject({ status: 200 }));

    expect((await health()).body.data).not.toHaveProperty('degraded');
    await redis.stop();
    await waitFor(async () => expect((await health()).body.data).toMatchObject({ degraded: ['redis'] }));
    expect((await ready()).body.data).toMatchObject({ degraded: ['redis'] });
    await redis.start();
    await waitFor(async () => expect((await health()).body.data).not.toHaveProperty('degraded'));

    // Another server, or an operator, ended this node: it owns nothing until it has joined anew.
    const lost = waitFor(async () => expect(await ready()).toMatchObject(refusal(503, 'upstream_unavailable', { reason: 'no_lease' })));
    await gateway.app.store.db.deleteFrom('nodes').execute();
    await lost;
    await waitFor(async () => expect(await ready()).toMatchObject({ status: 200 }));
  } finally {
    await gateway.stop();
    await redis.dispose();
  }
});
