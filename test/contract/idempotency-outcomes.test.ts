import { describe, expect, it, vi } from 'vitest';
import { updateAccount, updatePlan } from '../../src/accounts/index.ts';
import { StoreUnavailable } from '../../src/core/index.ts';
import { at } from '../support/act.ts';
import { someBytes } from '../support/file-server.ts';
import type { Answer, Customer, TestGateway } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';
import { outcome } from './outcome.ts';

const keyed = (answer: Answer) => `${outcome(answer)} ${answer.headers.get('idempotency-replayed')}`;
const headers = { 'idempotency-key': 'order-1042' };

describe.each(storeKinds)('what becomes of an Idempotency-Key on %s', (kind) => {
  const clock = createManualClock();
  const { gateway, files } = useGateway({ store: kind, overrides: { clock } });

  /** A customer with a plan of its own and a linked number. */
  async function someone(terms: Parameters<TestGateway['plan']>[0] = {}) {
    const plan = await gateway.plan(terms);
    const customer = await gateway.customer({ plan });
    return { plan, customer, instance_id: await customer.linked('491710000100') };
  }
  type Someone = Awaited<ReturnType<typeof someone>>;
  const change = ({ customer }: Someone, changes: Parameters<typeof updateAccount>[2]) =>
    updateAccount(gateway.app.store, customer.accountId, changes, at(clock.now()));
  const text = (instance_id: string, fields: object = {}) => ({ instance_id, to: '491701234567', text: 'Hello', ...fields });

  /** [what refuses, how it is answered, the send that is refused, and what must be mended before the key is used again]. */
  const refusals: [string, string, (who: Someone) => Promise<Answer>, ((who: Someone) => unknown)?][] = [
    [
      'a bad body',
      '400 invalid_request false',
      ({ customer, instance_id }) => customer.send('text', text(instance_id, { text: '' }), headers),
    ],
    [
      'a bad link',
      '400 invalid_media_url false',
      ({ customer, instance_id }) => customer.send('image', text(instance_id, { url: 'http://10.0.0.1/' }), headers),
    ],
    [
      'no plan',
      '402 no_active_subscription null',
      async (who) => {
        await change(who, { plan: null });
        return who.customer.send('text', text(who.instance_id), headers);
      },
      (who) => change(who, { plan: who.plan }),
    ],
    [
      'a suspended account',
      '403 account_suspended null',
      async (who) => {
        await change(who, { status: 'suspended' });
        return who.customer.send('text', text(who.instance_id), headers);
      },
      (who) => change(who, { status: 'active' }),
    ],
    [
      'an exhausted trial',
      '403 trial_quota_exceeded false',
      async (who) => {
        await updatePlan(gateway.app.store, who.plan, { trialMessages: 1 }, at(clock.now()));
        await who.customer.send('text', text(who.instance_id));
        return who.customer.send('text', text(who.instance_id), headers);
      },
      (who) => updatePlan(gateway.app.store, who.plan, { trialMessages: null }, at(clock.now())),
    ],
    [
      'an unknown instance',
      '404 instance_not_found false',
      ({ customer }) => customer.send('text', text('0190a0a0-0000-7000-8000-000000000001'), headers),
    ],
    [
      'an unlinked instance',
      '409 instance_not_connected false',
      async ({ customer }) => {
        const { body } = await customer.call('POST', '/v1/instances', {});
        return customer.send('text', text(body.data.instance_id), headers);
      },
    ],
    [
      'an unusable recipient',
      '422 invalid_recipient false',
      ({ customer, instance_id }) => customer.send('text', text(instance_id, { to: '0170' }), headers),
    ],
    [
      'a recipient that is not on the network',
      '422 invalid_recipient false',
      ({ customer, instance_id }) => customer.send('text', text(instance_id, { to: '491701230000' }), headers),
    ],
    [
      'a file that cannot be fetched',
      '422 media_fetch_failed false',
      ({ customer, instance_id }) => customer.send('image', text(instance_id, { url: files.url('/missing') }), headers),
    ],
    [
      'the rate limit',
      '429 rate_limit_exceeded null',
      async (who) => {
        await updatePlan(gateway.app.store, who.plan, { messagesPerMinute: 1 }, at(clock.now()));
        await who.customer.send('text', text(who.instance_id));
        return who.customer.send('text', text(who.instance_id), headers);
      },
      () => clock.advance(60_000),
    ],
  ];

  it.each(refusals)('%s frees it for another body: %s [idem.freed]', async (_, expected, refused, mend) => {
    const who = await someone();
    expect(keyed(await refused(who))).toBe(expected);
    await mend?.(who);
    const to = '491707654321';
    expect(keyed(await who.customer.send('text', text(who.instance_id, { to, text: 'Other' }), headers))).toBe('200 false');
    expect(await who.customer.received(to)).toHaveLength(1);
  });

  it('a network that was never reached frees it too [idem.freed]', async () => {
    const { customer, instance_id } = await someone();
    expect(keyed(await customer.send('text', text(instance_id, { to: '491701230001' }), headers))).toBe('502 upstream_unavailable false');
    expect(keyed(await customer.send('text', text(instance_id), headers))).toBe('200 false');
  });

  describe('while the first request is in flight', () => {
    const to = '491701230005';
    const twenty = (customer: Customer, body: object) => Array.from({ length: 20 }, () => customer.send('text', body, headers));
    const delivered = (customer: Customer) => waitFor(async () => expect(await customer.received(to)).toHaveLength(1));

    it('20 duplicates wait for it and replay its result: one message [idem.waiting]', async () => {
      const { customer, instance_id } = await someone();
      const answers = twenty(customer, text(instance_id, { to }));
      await delivered(customer);
      await clock.advanceAsync(3_000);
      const done = await Promise.all(answers);
      expect(done.map(keyed).sort()).toEqual(['200 false', ...Array(19).fill('200 true')]);
      expect(new Set(done.map((answer) => JSON.stringify(answer.body.data))).size).toBe(1);
      expect(await customer.received(to)).toHaveLength(1);
    });

    it('another body waits too, and is 422 when the first was accepted [idem.waiting]', async () => {
      const { customer, instance_id } = await someone();
      const first = customer.send('text', text(instance_id, { to }), headers);
      await delivered(customer);
      const second = customer.send('text', text(instance_id, { to: '491707654321' }), headers);
      await clock.advanceAsync(3_000);
      expect(keyed(await first)).toBe('200 false');
      expect(keyed(await second)).toBe('422 idempotency_key_reused false');
      expect(await customer.received('491707654321')).toEqual([]);
    });

    it('20 duplicates of a refused one are refused themselves, and store nothing [idem.freed]', async () => {
      const { customer, instance_id } = await someone();
      const done = await Promise.all(twenty(customer, text(instance_id, { to: '491701230000' })));
      expect(done.map(keyed)).toEqual(Array(20).fill('422 invalid_recipient false'));
      expect(keyed(await customer.send('text', text(instance_id), headers))).toBe('200 false');
    });

    it('20 duplicates of a trial’s last message cost one unit', async () => {
      const { customer, instance_id } = await someone({ trialMessages: 1 });
      const done = await Promise.all(twenty(customer, text(instance_id)));
      expect(done.map(keyed).sort()).toEqual(['200 false', ...Array(19).fill('200 true')]);
    });

    it('different keys do not wait for each other [idem.waiting]', async () => {
      const { customer, instance_id } = await someone();
      const slow = customer.send('text', text(instance_id, { to }), headers);
      await delivered(customer);
      expect(keyed(await customer.send('text', text(instance_id), { 'idempotency-key': 'order-1043' }))).toBe('200 false');
      await clock.advanceAsync(3_000);
      expect(keyed(await slow)).toBe('200 false');
    });
  });

  describe('when nobody knows whether the message went out', () => {
    const to = '491701230004';

    it('a retry sends the same message id again: one message, then replays [idem.unknown-outcome]', async () => {
      const { customer, instance_id } = await someone();
      const body = text(instance_id, { to });
      const first = await customer.send('text', body, headers);
      expect([keyed(first), first.body.error.message]).toEqual([
        '502 upstream_unavailable false',
        'The network did not acknowledge the message in time. A retry with the same Idempotency-Key cannot send it twice.',
      ]);
      const [delivered] = await customer.received(to);
      const retried = await customer.send('text', body, headers);
      expect(keyed(retried)).toBe('200 false');
      expect(retried.body.data.message_id).toBe(delivered.message_id);
      expect(keyed(await customer.send('text', body, headers))).toBe('200 true');
      expect(await customer.received(to)).toHaveLength(1);
    });

    it('also over a restart, and after the number was linked anew [idem.unknown-outcome]', async () => {
      const { customer, instance_id } = await someone();
      const body = text(instance_id, { to });
      expect(keyed(await customer.send('text', body, headers))).toBe('502 upstream_unavailable false');
      await gateway.restart();
      await customer.call('POST', '/sandbox/unlink', { phone_number: '491710000100' });
      expect(keyed(await customer.send('text', body, headers))).toBe('409 instance_not_connected false');
      const qr = await customer.call('GET', `/v1/instances/${instance_id}/qr`);
      await customer.call('POST', '/sandbox/scan', { code: qr.body.data.qrcode.code, phone_number: '491710000100' });
      const retried = await customer.send('text', body, headers);
      expect(keyed(retried)).toBe('200 false');
      expect((await customer.received(to)).map((message) => message.message_id)).toEqual([retried.body.data.message_id]);
    });

    it('a different body is 422: the first one may have arrived [idem.unknown-outcome]', async () => {
      const { customer, instance_id } = await someone();
      await customer.send('text', text(instance_id, { to }), headers);
      const other = await customer.send('text', text(instance_id), headers);
      expect(keyed(other)).toBe('422 idempotency_key_reused false');
    });

    it('a retry that cannot fetch its file any more forgets nothing [idem.unknown-outcome]', async () => {
      const { customer, instance_id } = await someone();
      const body = { instance_id, to, url: files.serve(`/${kind}-once`) };
      expect(keyed(await customer.send('image', body, headers))).toBe('502 upstream_unavailable false');
      files.serve(`/${kind}-once`, { status: 410 });
      expect(keyed(await customer.send('image', body, headers))).toBe('422 media_fetch_failed false');
      expect(keyed(await customer.send('image', { ...body, caption: 'Other' }, headers))).toBe('422 idempotency_key_reused false');
      files.serve(`/${kind}-once`);
      expect(keyed(await customer.send('image', body, headers))).toBe('200 false');
      expect(await customer.received(to)).toHaveLength(1);
    });

    it('20 at once: one is told, one sends again, the rest replay, one message [idem.one-message]', async () => {
      const { customer, instance_id } = await someone();
      const body = text(instance_id, { to });
      const done = await Promise.all(Array.from({ length: 20 }, () => customer.send('text', body, headers)));
      expect(done.map(keyed).sort()).toEqual(['200 false', ...Array(18).fill('200 true'), '502 upstream_unavailable false']);
      expect(await customer.received(to)).toHaveLength(1);
    });

    it('without a key a retry is another message [idem.without]', async () => {
      const { customer, instance_id } = await someone();
      await customer.send('text', text(instance_id, { to }));
      await customer.send('text', text(instance_id, { to }));
      expect(await customer.received(to)).toHaveLength(2);
    });
  });

  it('nothing is handed over when the store fails while the file is fetched', async () => {
    const { customer, instance_id } = await someone();
    const fails = Promise.withResolvers<{ mockRestore(): void }[]>();
    files.serve('/fails.bin', {
      answer: (response) => {
        const trouble = new StoreUnavailable('the disk is full');
        fails.resolve(gateway.apps.map(({ store }) => vi.spyOn(store.writability, 'trouble', 'get').mockReturnValue(trouble)));
        response.end(someBytes);
      },
    });
    const body = (url: string) => ({ instance_id, to: '491701230177', url });
    const refused = await customer.send('image', body(files.url('/fails.bin')), headers);
    expect(keyed(refused)).toBe('502 upstream_unavailable false');
    expect(refused.body.error.details).toEqual({ reason: 'store_unavailable' });
    const sent = async () => (await customer.call('GET', '/sandbox/messages?to=491701230177')).body.data.messages.length;
    expect(await sent()).toBe(0);
    for (const failing of await fails.promise) failing.mockRestore();
    files.serve('/fails.bin');
    expect(keyed(await customer.send('image', body(files.url('/fails.bin')), headers))).toBe('200 false');
    expect(await sent()).toBe(1);
  });
});
