import { describe, expect, it } from 'vitest';
import { createPlan } from '../../src/accounts/index.ts';
import { phoneNumber } from '../../src/cli/arguments.ts';
import { utcDay } from '../../src/core/index.ts';
import { usage } from '../../src/usage/index.ts';
import { at } from '../support/act.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';

describe('numbers/check', () => {
  const { gateway, customer, number } = useGateway();
  const check = (numbers: unknown, instance_id: unknown = number()) => customer.call('POST', '/v1/numbers/check', { instance_id, numbers });
  const many = (count: number) => Array.from({ length: count }, (_, i) => `4917000${String(10_000 + i)}9`);

  it('answers every reachability: on the network, not on it, unknown, and on another number [check.reachability check.network-number check.data sandbox.0000 sandbox.0001]', async () => {
    const answer = await check(['491701234500', '491701230000', '491701230001', '491701230002']);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      instance_id: number(),
      submitted: 4,
      checked: 4,
      results: [
        { number: '491701234500', reachable: true, network_number: '491701234500' },
        { number: '491701230000', reachable: false, network_number: null },
        { number: '491701230001', reachable: null, network_number: null },
        { number: '491701230002', reachable: true, network_number: '491701230003' },
      ],
    });
  });

  it('names a number that can be sent to [check.network-number sandbox.0002]', async () => {
    const { network_number } = (await check(['491701230002'])).body.data.results[0];
    expect((await customer.send('text', { instance_id: number(), to: network_number, text: 'x' })).status).toBe(200);
    expect(await customer.received(network_number)).toHaveLength(1);
  });

  it('removes duplicates after normalisation and keeps the order of first appearance [check.duplicates]', async () => {
    const { data } = (await check(['+49 170 1234502', '491701234501', '49 (170) 123-4502', '491701234500', '491701234501'])).body;
    expect(data).toMatchObject({ submitted: 5, checked: 3 });
    expect(data.results.map(({ number }: { number: string }) => number)).toEqual(['491701234502', '491701234501', '491701234500']);
  });

  it('reads numbers as they were pasted, in every other place too [to.marks]', async () => {
    const pasted = '\u202a＋٤٩ （170）\u200b1234−500\u202c';
    const digits = '491701234500';
    expect((await check([pasted, digits])).body.data).toMatchObject({ submitted: 2, checked: 1, results: [{ number: digits }] });

    const instance_id = await customer.linked(pasted);
    expect((await customer.call('GET', `/v1/instances/${instance_id}/status`)).body.data.phone_number).toBe(digits);
    const card = { full_name: 'Ada', phone_number: pasted };
    const call = { type: 'call', text: 'Call', phone_number: pasted };
    expect((await customer.send('contact', { instance_id, to: pasted, contacts: [card] })).body.data.to).toBe(digits);
    expect((await customer.send('buttons', { instance_id, to: pasted, title: 'x', buttons: [call] })).status).toBe(200);
    expect((await customer.received(pasted)).map(({ content }) => content)).toEqual([
      { contacts: [{ ...card, phone_number: digits }] },
      { title: 'x', buttons: [{ ...call, phone_number: digits }] },
    ]);
    expect((await customer.call('POST', '/sandbox/unlink', { phone_number: pasted })).status).toBe(200);
    const coded = await customer.call('GET', `/v1/instances/${instance_id}/qr?phone_number=${encodeURIComponent(pasted)}`);
    expect(coded.body.data.qrcode.pairingCode).toMatch(/./);
    expect(phoneNumber(pasted)).toBe(digits);
  });

  it('takes 1 to 50 numbers [check.count]', async () => {
    expect((await check(many(1))).body.data.checked).toBe(1);
    expect((await check(many(50))).body.data).toMatchObject({ submitted: 50, checked: 50 });
    expect((await check(Array(50).fill('491701234500'))).body.data).toMatchObject({ submitted: 50, checked: 1 });
  });

  it.each([
    ['51 different', many(51)],
    ['51 equal', Array(51).fill('491701234500')],
    ['1,000', many(1000)],
  ])('refuses %s numbers, with the maximum in the details [check.count]', async (_what, numbers) => {
    expect(await check(numbers)).toMatchObject(refusal(400, 'invalid_request', { max_numbers: 50 }));
  });

  it.each([
    ['none', undefined, 'numbers'],
    ['an empty list', [], 'numbers'],
    ['null', null, 'numbers'],
    ['a string', '491701234500', 'numbers'],
    ['a number in the list', ['491701234500', 491701234500], 'numbers[1]'],
    ['null in the list', [null], 'numbers[0]'],
  ])('refuses %s [check.count]', async (_what, numbers, field) => {
    const answer = await check(numbers);
    expect(answer).toMatchObject(refusal(400, 'invalid_request', { field }));
    expect(answer.body.error.message).toContain(field);
  });

  it.each(['', ' ', 'abc', '12345', '1234567890123456', '0491701234500', '++491701234500', '49170/1234500', '491701234½00'])(
    'refuses the entry "%s" with its position [check.bad-entry]',
    async (entry) => {
      const answer = await check(['491701234500', '491701234501', '491701234502', entry]);
      expect(answer).toMatchObject(refusal(400, 'invalid_request', { field: 'numbers[3]' }));
      expect(answer.body.error.message).toContain('numbers[3]');
    },
  );

  it('lists every bad entry, the first one in the message [errors.details check.bad-entry]', async () => {
    const { error } = (await check(['x', '491701234500', 'y'])).body;
    expect(error.message).toContain('numbers[0]');
    expect(error.details).toMatchObject({ field: 'numbers[0]', errors: [{ field: 'numbers[0]' }, { field: 'numbers[2]' }] });
  });

  it('needs a connected instance of the account [check.instance-id check.connected]', async () => {
    const fresh = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    expect(await check(['491701234500'], fresh)).toMatchObject(refusal(409, 'instance_not_connected'));
    const foreign = await (await gateway.customer()).linked();
    const unknown = await check(['491701234500'], '00000000-0000-4000-8000-000000000000');
    expect(unknown).toMatchObject(refusal(404, 'instance_not_found'));
    expect((await check(['491701234500'], foreign)).body.error).toEqual(unknown.body.error);
  });

  it('judges the body before the instance [check.body-first]', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await check(['x'], nobody)).toMatchObject(refusal(400, 'invalid_request'));
    expect(await check(many(51), nobody)).toMatchObject(refusal(400, 'invalid_request', { max_numbers: 50 }));
  });

  it('sends nothing, is not counted in usage, and spends no trial allowance [check.sends-nothing check.free]', async () => {
    const { name } = await createPlan(
      gateway.app.store,
      { name: 'one message', messagesPerMinute: 60, instanceLimit: 1, trialMessages: 1 },
      at(Date.now()),
    );
    const trial = await gateway.customer({ plan: name });
    const own = await trial.linked();
    const ask = () => trial.call('POST', '/v1/numbers/check', { instance_id: own, numbers: ['491701234500'] });
    for (let time = 0; time < 3; time++) expect((await ask()).status).toBe(200);
    expect(await trial.received('491701234500')).toEqual([]);
    const today = utcDay(Date.now());
    expect(await usage(gateway.app.store, trial.accountId, today, today)).toMatchObject([{ sends: 0 }]);
    const send = () => trial.send('text', { instance_id: own, to: '491701234500', text: 'x' });
    expect((await send()).status).toBe(200);
    expect(await send()).toMatchObject(refusal(403, 'trial_quota_exceeded', { trial_message_limit: 1 }));
    expect((await ask()).status).toBe(200);
  });

  it('shares the budget of the messages scope with sends [check.limits]', async () => {
    const other = await gateway.customer({ plan: 'trial' });
    const own = await other.linked();
    const left = (answer: { headers: Headers }) => ['scope', 'limit', 'remaining'].map((name) => answer.headers.get(`x-ratelimit-${name}`));
    const ask = () => other.call('POST', '/v1/numbers/check', { instance_id: own, numbers: ['491701234500'] });
    expect(left(await ask())).toEqual(['messages', '30', '29']);
    expect(left(await other.send('text', { instance_id: own, to: '491701234500', text: 'x' }))).toEqual(['messages', '30', '28']);
    await Promise.all(Array.from({ length: 28 }, ask));
    expect(await ask()).toMatchObject(refusal(429, 'rate_limit_exceeded', { scope: 'messages', limit_per_minute: 30 }));
    expect((await other.call('GET', '/v1/instances')).status).toBe(200);
  });

  it('carries no Idempotency-Replayed header: it is no send [idem.header-place]', async () => {
    expect((await check(['491701234500'])).headers.get('idempotency-replayed')).toBeNull();
  });
});
