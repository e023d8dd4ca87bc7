import { describe, expect, it } from 'vitest';
import { showAccount, updateAccount, updatePlan } from '../../src/accounts/index.ts';
import { utcDay } from '../../src/core/index.ts';
import { usage } from '../../src/usage/index.ts';
import { at } from '../support/act.ts';
import type { Answer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';
import { outcome } from './outcome.ts';
import { many, validBodies } from './valid-bodies.ts';

describe.each(storeKinds)('a trial on %s', (kind) => {
  const clock = createManualClock();
  const { gateway, files } = useGateway({ store: kind, overrides: { clock, lookup: async () => [] } });

  const to = '491701234567';
  /** A customer whose trial has this many messages. */
  async function trialOf(trialMessages: number) {
    const plan = await gateway.plan({ trialMessages });
    const customer = await gateway.customer({ plan });
    const instance_id = await customer.linked();
    const send = (fields: object = {}, type = 'text') => customer.send(type, { instance_id, to, text: 'Hello', ...fields });
    return { plan, customer, instance_id, send };
  }
  const accepted = (answers: Answer[]) => answers.filter((answer) => answer.status === 200).length;

  it('of 37 messages accepts 37 of 200 sends at once [trial.exact]', async () => {
    const { customer, send } = await trialOf(37);
    const answers = await Promise.all(many(200, () => send()));
    const outcomes = answers.map(outcome).sort();
    expect(outcomes).toEqual([...many(37, () => '200'), ...many(163, () => '403 trial_quota_exceeded')]);
    expect(await customer.received(to)).toHaveLength(37);
    const today = utcDay(clock.now());
    expect(await usage(gateway.app.store, customer.accountId, today, today)).toEqual([
      { day: today, sends: 37, byType: { text: 37 }, numberDays: 1 },
    ]);
    expect((await showAccount(gateway.app.store, customer.accountId)).trial_used).toBe(37);
  });

  it('tells its allowance when it is used up [trial.used-up]', async () => {
    const { send } = await trialOf(1);
    await send();
    const refused = await send();
    expect(outcome(refused)).toBe('403 trial_quota_exceeded');
    expect(refused.body.error.details).toEqual({ trial_message_limit: 1 });
  });

  it('counts every message type [trial.kinds]', async () => {
    const bodies = Object.entries(validBodies(files.serve('/file')));
    const { send } = await trialOf(bodies.length);
    for (const [type, body] of bodies) expect(outcome(await send(body, type))).toBe('200');
    for (const [type, body] of bodies) expect(outcome(await send(body, type))).toBe('403 trial_quota_exceeded');
  });

  it('does not count number checks, nor refuses them when it is used up [check.free trial.total]', async () => {
    const { customer, instance_id, send } = await trialOf(2);
    const check = () => customer.call('POST', '/v1/numbers/check', { instance_id, numbers: [to] });
    for (let i = 0; i < 5; i++) expect(outcome(await check())).toBe('200');
    expect([outcome(await send()), outcome(await send()), outcome(await send())]).toEqual(['200', '200', '403 trial_quota_exceeded']);
    expect(outcome(await check())).toBe('200');
  });

  it.each<[string, string, object, string?]>([
    ['a bad body', '400 invalid_request', { text: '' }],
    ['a bad link', '400 invalid_media_url', { url: 'http://10.0.0.1/' }, 'image'],
    ['an unknown instance', '404 instance_not_found', { instance_id: '0190a0a0-0000-7000-8000-000000000001' }],
    ['an unusable recipient', '422 invalid_recipient', { to: 'nobody' }],
    ['a recipient that is not on the network', '422 invalid_recipient', { to: '491701230000' }],
    ['a file that cannot be fetched', '422 media_fetch_failed', { url: 'http://nowhere.invalid/' }, 'image'],
    ['a network that does not answer', '502 upstream_unavailable', { to: '491701230001' }],
    ['a lost acknowledgement', '502 upstream_unavailable', { to: '491701230004' }],
  ])('gives its unit back after %s: %s [trial.returned]', async (_, expected, fields, type) => {
    const { send } = await trialOf(1);
    for (let i = 0; i < 3; i++) expect(outcome(await send(fields, type))).toBe(expected);
    expect(outcome(await send())).toBe('200');
    expect(outcome(await send())).toBe('403 trial_quota_exceeded');
  });

  it('is exact when good and failing sends come at once [trial.exact]', async () => {
    const { customer, send } = await trialOf(20);
    const answers = await Promise.all(many(120, (i) => send(i % 3 === 0 ? {} : { to: i % 3 === 1 ? '491701230000' : '491701230001' })));
    const first = accepted(answers);
    expect(first).toBeLessThanOrEqual(20);
    // Whatever was reserved by a send that failed is there again.
    const second = accepted(await Promise.all(many(40, () => send())));
    expect(first + second).toBe(20);
    expect(await customer.received(to)).toHaveLength(20);
  });

  it('is the account’s, over all its numbers, minutes and days [trial.total]', async () => {
    const { customer, send } = await trialOf(3);
    const other = await customer.linked();
    expect(outcome(await send())).toBe('200');
    clock.advance(3 * 24 * 60 * 60 * 1000);
    await gateway.restart();
    expect(outcome(await send({ instance_id: other }))).toBe('200');
    expect(outcome(await send())).toBe('200');
    expect(outcome(await send({ instance_id: other }))).toBe('403 trial_quota_exceeded');
  });

  it('ends with a plan that is none, at once, and cannot be had twice [trial.once]', async () => {
    const { plan, customer, send } = await trialOf(1);
    await send();
    expect(outcome(await send())).toBe('403 trial_quota_exceeded');
    await updateAccount(gateway.app.store, customer.accountId, { plan: 'business' }, at(clock.now()));
    expect(outcome(await send())).toBe('200');
    await updateAccount(gateway.app.store, customer.accountId, { plan }, at(clock.now()));
    expect(outcome(await send())).toBe('403 trial_quota_exceeded');
    await updatePlan(gateway.app.store, plan, { trialMessages: 2 }, at(clock.now()));
    expect(outcome(await send())).toBe('200');
    expect((await send()).body.error.details).toEqual({ trial_message_limit: 2 });
  });

  it('built in has 100 messages and 30 a minute [plan.built-in]', async () => {
    const customer = await gateway.customer({ plan: 'trial' });
    const instance_id = await customer.linked();
    let sent = 0;
    for (; sent < 4; sent++) {
      const answers = await Promise.all(many(30, () => customer.send('text', { instance_id, to, text: 'Hello' })));
      expect(answers.every((answer) => answer.headers.get('x-ratelimit-limit') === '30')).toBe(true);
      expect(accepted(answers)).toBe(sent < 3 ? 30 : 10);
      clock.advance(60_000);
    }
  });
});
