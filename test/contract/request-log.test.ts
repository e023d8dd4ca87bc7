import { describe, expect, it } from 'vitest';
import { findRequest } from '../../src/requests/index.ts';
import { followClock } from '../support/database-clock.ts';
import type { Answer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const dayMs = 24 * 60 * 60 * 1000;
const secretWords = 'the words of the message';

describe.each(storeKinds)('the request log on %s', (kind) => {
  const clock = createManualClock();
  const { gateway, customer, number } = useGateway({ store: kind, overrides: { clock } });
  /** The log's record of an answer; it may be written up to a second late. */
  const logged = (answer: Answer) => waitFor(() => findRequest(gateway.app.store, answer.body.request_id));
  const send = (key: string) =>
    customer.send('text', { instance_id: number(), to: '491701234500', text: secretWords }, { 'idempotency-key': key });
  const claims = () => gateway.app.store.db.selectFrom('claims').select('key').where('account_id', '=', customer.accountId).execute();

  it('finds a send by its request_id, with message id, type, recipient, instance and time [log.late log.fields]', async () => {
    const first = await send('order-1042');
    expect(first.headers.get('x-request-id')).toBe(first.body.request_id);
    expect(await logged(first)).toMatchObject({
      request_id: first.body.request_id,
      at: clock.now(),
      account_id: customer.accountId,
      method: 'POST',
      path: '/v1/messages/text',
      status: 200,
      code: null,
      instance_id: number(),
      message_type: 'text',
      message_id: first.body.data.message_id,
      recipient: '491701234500',
      idempotency: 'new',
    });
    expect(await logged(await send('order-1042'))).toMatchObject({ idempotency: 'replayed', message_id: first.body.data.message_id });
  });

  it('finds every other request too: other endpoints, failures, strangers [request-id.kept]', async () => {
    expect(await logged(await customer.call('GET', `/v1/instances/${number()}/status`))).toMatchObject({
      status: 200,
      instance_id: number(),
      code: null,
    });
    expect(await logged(await customer.call('DELETE', `/v1/instances/${number()}?logoutOnly=1`))).toMatchObject({
      method: 'DELETE',
      path: `/v1/instances/${number()}`,
      status: 400,
      code: 'invalid_request',
      account_id: customer.accountId,
    });
    expect(await logged(await gateway.call('GET', '/v1/instances', { key: 'mgw_wrong' }))).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      account_id: null,
    });
    expect(await logged(await gateway.call('GET', '/nowhere'))).toMatchObject({ status: 404, code: 'not_found', path: '/nowhere' });
    expect(await logged(await gateway.call('GET', '/health'))).toMatchObject({ status: 200, path: '/health' });
  });

  it('never holds what a message said [content.never]', async () => {
    await logged(await send('order-1043'));
    const { db } = gateway.app.store;
    for (const table of ['requests', 'claims', 'usage_sends'] as const) {
      expect(JSON.stringify(await db.selectFrom(table).selectAll().execute())).not.toContain(secretWords);
    }
    expect(gateway.logged()).not.toContain(secretWords);
  });

  it('forgets an idempotency key after 24 hours and a request after 30 days [log.days]', async () => {
    const answer = await send('order-1044');
    await logged(answer);
    expect((await claims()).map(({ key }) => key)).toContain('order-1044');
    await pass(dayMs - 2 * 60_000);
    await sweep();
    expect((await claims()).map(({ key }) => key)).toContain('order-1044');
    await waitFor(async () => {
      await pass(60_000);
      expect(await claims()).toEqual([]);
    });
    await logged(answer);
    await pass(29 * dayMs - 10 * 60_000);
    await sweep();
    await logged(answer);
    await waitFor(async () => {
      await pass(60_000);
      await expect(findRequest(gateway.app.store, answer.body.request_id)).rejects.toThrow('has no request');
    });

    async function pass(ms: number) {
      clock.advance(ms);
      await followClock(gateway.app.store, clock);
    }

    /** Lets one round of the retention run: its next one is planned when it has ended. */
    async function sweep() {
      const pending = clock.pending;
      clock.advance(60_000);
      await waitFor(() => expect(clock.pending).toBeGreaterThanOrEqual(pending));
    }
  });
});
