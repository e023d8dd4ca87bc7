import { describe, expect, it } from 'vitest';
import { createKey, updateAccount } from '../../src/accounts/index.ts';
import { utcDay } from '../../src/core/index.ts';
import { usage } from '../../src/usage/index.ts';
import { at } from '../support/act.ts';
import { followClock } from '../support/database-clock.ts';
import type { Answer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { nodesOfGateway } from '../support/run-options.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';
import { outcome } from './outcome.ts';

const hourMs = 60 * 60 * 1000;
const replayed = (answer: Answer) => answer.headers.get('idempotency-replayed');
/** Outcome and Idempotency-Replayed in one. */
const keyed = (answer: Answer) => `${outcome(answer)} ${replayed(answer)}`;

describe.each(storeKinds)('an Idempotency-Key on %s', (kind) => {
  const clock = createManualClock();
  const { gateway, files, customer, number } = useGateway({ store: kind, plan: 'generous', overrides: { clock } });

  const pass = async (ms: number) => {
    clock.advance(ms);
    await followClock(gateway.app.store, clock);
  };

  let contacts = 0;
  /** A text to somebody new: the body, and what the contact received. */
  const message = (fields: object = {}) => {
    const to = `49170${5_000_010 + ++contacts}`;
    return { to, body: { instance_id: number(), to, text: 'Hello', ...fields }, received: () => customer.received(to) };
  };
  let keys = 0;
  const newKey = () => `key-${1_000_000 + ++keys}`;
  const send = (body: object, key: string, type = 'text', who = customer) => who.send(type, body, { 'idempotency-key': key });

  it.each(['12345678', 'x'.repeat(255), 'AZaz09._:~-', '~~~~~~~~'])('may be %j [idem.key]', async (key) => {
    expect(keyed(await send(message().body, key))).toBe('200 false');
  });

  it.each([
    '',
    '1234567',
    'x'.repeat(256),
    'with space',
    'slash/slash',
    'plus+plus',
    'comma,comma',
    'ümlaut-ümlaut',
    '"quoted-key"',
    '12345678, 12345678',
  ])('may not be %j: 400 [idem.key]', async (key) => {
    const { body, received } = message();
    const answer = await send(body, key);
    expect(keyed(answer)).toBe('400 invalid_request false');
    expect(answer.body.error).toMatchObject({ message: expect.stringContaining('Idempotency-Key'), details: { field: 'Idempotency-Key' } });
    expect(await received()).toEqual([]);
  });

  it('takes a default written out and an empty optional text for a field left out [idem.same]', async () => {
    const { body, received } = message({ url: files.serve('/same.pdf'), text: undefined });
    const key = newKey();
    expect(keyed(await send(body, key, 'document'))).toBe('200 false');
    expect(keyed(await send({ ...body, quoted_from_me: false, caption: '', filename: '' }, key, 'document'))).toBe('200 true');
    expect(keyed(await send({ ...body, caption: 'x' }, key, 'document'))).toBe('422 idempotency_key_reused false');
    expect(await received()).toHaveLength(1);
  });

  it('replays the original result without a second send [idem.replay idem.header]', async () => {
    const { body, received } = message();
    const key = newKey();
    const first = await send(body, key);
    expect(keyed(first)).toBe('200 false');
    for (let i = 0; i < 3; i++) {
      const again = await send(body, key);
      expect(keyed(again)).toBe('200 true');
      expect(again.body.data).toEqual(first.body.data);
      expect(again.body.request_id).not.toBe(first.body.request_id);
    }
    expect(await received()).toHaveLength(1);
  });

  it('replays best_effort and note too [idem.replay]', async () => {
    const { to } = message();
    const body = { instance_id: number(), to, title: 'Choose', buttons: [{ type: 'reply', text: 'Yes', id: 'yes' }] };
    const key = newKey();
    const first = await send(body, key, 'buttons');
    expect((await send(body, key, 'buttons')).body.data).toEqual(first.body.data);
    expect(first.body.data).toMatchObject({ best_effort: true, note: expect.any(String) });
  });

  it('compares bodies after validation: order, spelling of to and id, defaults and unknown fields do not matter [idem.fingerprint]', async () => {
    const { to, received } = message();
    const key = newKey();
    const poll = { instance_id: number(), to, question: 'Which?', options: ['a', 'b'] };
    expect(keyed(await send(poll, key, 'poll'))).toBe('200 false');
    const same = {
      options: ['a', 'b'],
      unknown: 1,
      selectable_count: 1,
      question: 'Which?',
      to: `+${to}`,
      instance_id: number().toUpperCase(),
    };
    expect(keyed(await send(same, key, 'poll'))).toBe('200 true');
    expect(await received()).toHaveLength(1);
  });

  it.each([
    ['text', { text: 'Hello!' }],
    ['to', { to: '491709999999' }],
    ['instance_id', { instance_id: '0190a0a0-0000-7000-8000-000000000001' }],
    ['a quote', { quoted_message_id: 'ABC' }],
  ])('with a different %s is 422 idempotency_key_reused [idem.reused]', async (_, change) => {
    const { body, received } = message();
    const key = newKey();
    await send(body, key);
    expect(keyed(await send({ ...body, ...change }, key))).toBe('422 idempotency_key_reused false');
    // And the record is as it was.
    expect(keyed(await send(body, key))).toBe('200 true');
    expect(await received()).toHaveLength(1);
  });

  it('is of all send paths together [idem.paths]', async () => {
    // Two kinds with the same fields: only the path tells them apart.
    const { body } = message({ url: files.serve('/file') });
    const key = newKey();
    expect(keyed(await send(body, key, 'audio'))).toBe('200 false');
    expect(keyed(await send(body, key, 'sticker'))).toBe('422 idempotency_key_reused false');
  });

  it('is of the account, whichever of its API keys is used [idem.account]', async () => {
    const { body, received } = message();
    const key = newKey();
    const first = await send(body, key);
    const other = await createKey(gateway.app.store, customer.accountId, { label: null }, at(clock.now()));
    const again = await gateway.call('POST', '/v1/messages/text', { key: other.key, body, headers: { 'idempotency-key': key } });
    expect(keyed(again)).toBe('200 true');
    expect(again.body.data).toEqual(first.body.data);
    expect(await received()).toHaveLength(1);
  });

  it('is nothing to another account [idem.account]', async () => {
    const stranger = await gateway.customer();
    const { body, to } = message();
    const key = newKey();
    const first = await send(body, key);
    const theirs = await send({ ...body, instance_id: await stranger.linked() }, key, 'text', stranger);
    expect(keyed(theirs)).toBe('200 false');
    expect(theirs.body.data.message_id).not.toBe(first.body.data.message_id);
    expect(await stranger.received(to)).toHaveLength(1);
  });

  // A day on the database's clock ends the leases of several servers.
  if (nodesOfGateway === 1) {
    it('is remembered for 24 hours, over a restart too [idem.window idem.stored]', async () => {
      const { body } = message();
      const key = newKey();
      const first = await send(body, key);
      // PostgreSQL's clock runs on by itself.
      const shortly = kind === 'sqlite' ? 1 : 60_000;
      await pass(24 * hourMs - shortly);
      await gateway.restart();
      const last = await send(body, key);
      expect([keyed(last), last.body.data]).toEqual(['200 true', first.body.data]);
      await pass(2 * shortly - 1);
      expect(keyed(await send(body, key))).toBe('200 false');
      // The new record counts from its own beginning.
      await pass(23 * hourMs);
      expect(keyed(await send(body, key))).toBe('200 true');
    });

    it('may be used for another body after 24 hours, and the message arrives [idem.window]', async () => {
      const { body, received } = message();
      const key = newKey();
      await send(body, key);
      await pass(24 * hourMs + (kind === 'sqlite' ? 0 : 60_000));
      expect(keyed(await send({ ...body, text: 'Another day' }, key))).toBe('200 false');
      expect((await received()).map(({ content }) => content.text)).toEqual(['Hello', 'Another day']);
    });
  }

  it('replays when the instance was disconnected or deleted since [replay.gone]', async () => {
    const id = await customer.linked('491710000555');
    const { body } = message({ instance_id: id });
    const key = newKey();
    const first = await send(body, key);
    await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`);
    expect(keyed(await send(body, key))).toBe('200 true');
    await customer.call('DELETE', `/v1/instances/${id}`);
    const replay = await send(body, key);
    expect([keyed(replay), replay.body.data]).toEqual(['200 true', first.body.data]);
    expect(keyed(await send({ ...body, text: 'Other' }, key))).toBe('422 idempotency_key_reused false');
  });

  it('replays when the trial has run out, and costs neither quota nor usage [replay.trial]', async () => {
    const trial = await gateway.customer({ plan: await gateway.plan({ trialMessages: 2 }) });
    const { body } = message({ instance_id: await trial.linked() });
    const [one, two] = [newKey(), newKey()];
    const outcomes = [];
    for (const key of [one, one, two, one, two, newKey(), one]) outcomes.push(keyed(await send(body, key, 'text', trial)));
    expect(outcomes).toEqual(['200 false', '200 true', '200 false', '200 true', '200 true', '403 trial_quota_exceeded false', '200 true']);
    const today = utcDay(clock.now());
    expect((await usage(gateway.app.store, trial.accountId, today, today))[0]?.byType).toEqual({ text: 2 });
  });

  it('does not replay to those who may not ask: the checks before it come first [replay.checks]', async () => {
    const other = await gateway.customer();
    const { body } = message({ instance_id: await other.linked() });
    const key = newKey();
    await send(body, key, 'text', other);
    await updateAccount(gateway.app.store, other.accountId, { plan: null }, at(clock.now()));
    expect(keyed(await send(body, key, 'text', other))).toBe('402 no_active_subscription null');
  });

  it('counts a replay against the rate limit like every request [replay.checks]', async () => {
    const other = await gateway.customer({ plan: await gateway.plan({ messagesPerMinute: 2 }) });
    const { body } = message({ instance_id: await other.linked() });
    const key = newKey();
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(keyed(await send(body, key, 'text', other)));
    expect(answers).toEqual(['200 false', '200 true', '429 rate_limit_exceeded null']);
  });

  it('is not known to numbers/check [idem.header-place]', async () => {
    const body = { instance_id: number(), numbers: ['491701234567'] };
    for (const key of ['12345678', '12345678', 'bad key']) {
      const answer = await customer.call('POST', '/v1/numbers/check', body, { 'idempotency-key': key });
      expect(keyed(answer)).toBe('200 null');
    }
    expect(keyed(await send(message().body, '12345679'))).toBe('200 false');
  });
});

describe('IDEMPOTENCY=off', () => {
  const { gateway } = useGateway({ env: { IDEMPOTENCY: 'off' } });

  it('has no Idempotency-Replayed, and a retry sends again [idem.off]', async () => {
    const customer = await gateway.customer();
    const body = { instance_id: await customer.linked(), to: '491701234567', text: 'Hello' };
    const headers = { 'idempotency-key': 'order-1042' };
    const answers = [await customer.send('text', body, headers), await customer.send('text', body, headers)];
    expect(answers.map(keyed)).toEqual(['200 null', '200 null']);
    expect(new Set(answers.map((answer) => answer.body.data.message_id)).size).toBe(2);
    expect(await customer.received('491701234567')).toHaveLength(2);
    expect(keyed(await customer.send('text', { ...body, text: 'Other' }, headers))).toBe('200 null');
    expect(keyed(await customer.send('text', { ...body, text: '' }, headers))).toBe('400 invalid_request null');
  });

  it('does not say that a key makes a retry safe when nobody knows whether the message went out [idem.off]', async () => {
    const customer = await gateway.customer();
    // Its first acknowledgement is lost.
    const body = { instance_id: await customer.linked(), to: '491701230004', text: 'Hello' };
    const answer = await customer.send('text', body, { 'idempotency-key': 'order-1042' });
    expect([keyed(answer), answer.body.error.message]).toEqual([
      '502 upstream_unavailable null',
      'The network did not acknowledge the message in time; it may have been delivered, and a retry may send it twice.',
    ]);
  });
});
