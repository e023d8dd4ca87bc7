import { describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { storeKinds } from '../support/stores.ts';
import { outcome } from './outcome.ts';

// The embedded store has one server only.
describe.each(storeKinds.filter((kind) => kind === 'postgres'))('a number whose lease another server has taken, on %s', (kind) => {
  it('is refused a send with a key, and its link is closed here', async () => {
    const gateway = await startGateway(kind, {});
    try {
      const customer = await gateway.customer();
      const instanceId = await customer.linked();
      const message = { instance_id: instanceId, to: '491701234567', text: 'hello' };
      expect(outcome(await customer.send('text', message, { 'idempotency-key': 'sent-before' }))).toBe('200');
      const { db } = gateway.app.store;
      await db
        .updateTable('leases')
        .set((row) => ({ node_id: null, epoch: row('epoch', '+', 1) }))
        .execute();
      expect(outcome(await customer.send('text', message, { 'idempotency-key': 'sent-after' }))).toBe('502 upstream_unavailable');
      expect(gateway.session(customer.accountId, instanceId)).toBeUndefined();
      expect(outcome(await customer.send('text', message, { 'idempotency-key': 'sent-before' }))).toBe('200');
      expect(await customer.received(message.to)).toHaveLength(1);
    } finally {
      await gateway.stop();
    }
  });
});
