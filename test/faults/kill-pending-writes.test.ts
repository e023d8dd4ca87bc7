import { expect, it } from 'vitest';
import { utcDay } from '../../src/core/index.ts';
import { refuseRows } from '../support/refused-writes.ts';
import { storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { createSenders, linkNumbers } from './customers.ts';
import { createLoadClient } from './load-client.ts';
import { createGround } from './stores.ts';

const headers = { 'idempotency-key': 'order-1042' };

it.each(storeKinds)('the pending writes of a killed server are done by the next one, once, on %s', async (kind) => {
  const ground = await createGround(kind);
  try {
    const store = await ground.database.open();
    const accounts = await createSenders(store, 1, { trials: [0] });
    const first = ground.start({ LOG_LEVEL: 'silent' });
    const client = createLoadClient(await first.ready);
    const [sender] = await linkNumbers(client, accounts);
    if (sender === undefined) throw new Error('no sender');
    const accept = await refuseRows(store, 'usage_sends');
    const send = { path: '/v1/messages/text', key: sender.key, body: { instance_id: sender.instanceId, to: '491701234567', text: 'x' } };
    expect((await client.call({ ...send, headers })).status).toBe(500);
    const pending = () => store.db.selectFrom('pending_writes').select('kind').execute();
    await waitFor(async () => expect(await pending()).toEqual([{ kind: 'settlement' }]));
    await first.kill();
    await client.close();
    await accept();

    const second = ground.start();
    const again = createLoadClient(await second.ready);
    await waitFor(async () => expect(await pending()).toEqual([]));
    const replayed = await again.call({ ...send, headers });
    expect([replayed.status, replayed.headers['idempotency-replayed']]).toEqual([200, 'true']);
    await again.close();
    await second.terminate();
    const counted = store.db.selectFrom('usage_sends').select(['day', 'count']).execute();
    expect(await counted).toEqual([{ day: utcDay(Date.now()), count: 1 }]);
    const used = store.db.selectFrom('accounts').select('trial_used').where('id', '=', sender.accountId).executeTakeFirst();
    expect(await used).toEqual({ trial_used: 1 });
  } finally {
    await ground.dispose();
  }
});
