import { beforeAll, describe, expect, it } from 'vitest';
import { updateAccount } from '../../src/accounts/index.ts';
import { systemClock } from '../../src/core/index.ts';
import { allKinds } from '../../src/kinds/index.ts';
import { findRequest } from '../../src/requests/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import type { Customer } from '../support/gateway.ts';
import { type BrowserCall, expectOk, memberOf, openBrowser, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const to = '491701234567';

describe('sending from the portal', () => {
  let customer: Customer;
  let member: SignedIn;
  let instance_id: string;
  const { gateway } = useGateway();
  beforeAll(async () => {
    customer = await gateway.customer({ plan: await gateway.plan({ messagesPerMinute: 40 }) });
    member = await memberOf(gateway, customer.accountId);
    instance_id = await customer.linked('491710000901');
  });
  const send = (type: string, own: object, call: Omit<BrowserCall, 'body'> = {}, by: SignedIn = member) =>
    by.call('POST', `/portal/api/messages/${type}`, { ...call, body: { instance_id, to, ...own } });

  it('answers as the API does, and is known to be nobody’s key', async () => {
    const answer = await send('text', { text: 'from a page' });
    expect(outcome(answer)).toBe('200');
    expect(answer.body.data).toEqual({
      instance_id,
      to,
      type: 'text',
      status: 'sent',
      message_id: expect.stringMatching(/^3EB0/),
      provider_status: 'PENDING',
    });
    expect(answer.headers.get('x-ratelimit-scope')).toBe('messages');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('40');
    expect(answer.headers.get('idempotency-replayed')).toBe('false');
    const { request_id, data } = answer.body;
    const record = await waitFor(() => findRequest(gateway.app.store, request_id));
    expect(record).toMatchObject({
      account_id: customer.accountId,
      key_id: null,
      path: '/portal/api/messages/text',
      message_type: 'text',
      message_id: data.message_id,
      recipient: to,
      stages: { admission: expect.any(Number), network: expect.any(Number) },
    });
    expect((await customer.received(to)).at(-1)).toMatchObject({ message_id: data.message_id, content: { text: 'from a page' } });
  });

  it('knows every kind', async () => {
    for (const { type } of allKinds) expect(outcome(await send(type, { to: '0', text: null })), type).toBe('400 invalid_request');
  });

  it('is the same request as over the API for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'order-1042' };
    const first = expectOk(await send('text', { text: 'just once' }, { headers }));
    const again = expectOk(await customer.send('text', { instance_id, to, text: 'just once' }, headers));
    expect(again.body.data).toEqual(first.body.data);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(outcome(await send('text', { text: 'something else' }, { headers }))).toBe('422 idempotency_key_reused');
    expect(outcome(await send('text', { text: 'too short a key' }, { headers: { 'idempotency-key': 'short' } }))).toBe(
      '400 invalid_request',
    );
  });

  it('counts against the session, not against a key or another session', async () => {
    const colleague = await memberOf(gateway, customer.accountId);
    const left = async (by: SignedIn) => Number((await send('text', { text: '' }, {}, by)).headers.get('x-ratelimit-remaining'));
    for (let remaining = await left(colleague); remaining > 0; ) remaining = await left(colleague);
    const refused = await send('text', { text: 'one too many' }, {}, colleague);
    expect(refused).toMatchObject(refusal(429, 'rate_limit_exceeded', { limit_per_minute: 40, scope: 'messages' }));
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('x-ratelimit-reset'));
    const check = { body: { instance_id, numbers: [to] } };
    expect(outcome(await colleague.call('POST', '/portal/api/numbers/check', check))).toBe('429 rate_limit_exceeded');
    expect(outcome(await send('text', { text: 'my own budget' }))).toBe('200');
    expect(outcome(await customer.send('text', { instance_id, to, text: 'the budget of the key' }))).toBe('200');
  });

  it('checks numbers', async () => {
    const check = (numbers: string[]) => member.call('POST', '/portal/api/numbers/check', { body: { instance_id, numbers } });
    const answer = await check([to, '+49 170 1230000', to]);
    expect(outcome(answer)).toBe('200');
    expect(answer.body.data).toEqual({
      instance_id,
      submitted: 3,
      checked: 2,
      results: [
        { number: to, reachable: true, network_number: to },
        { number: '491701230000', reachable: false, network_number: null },
      ],
    });
    expect(await check(Array.from({ length: 51 }, () => to))).toMatchObject(refusal(400, 'invalid_request', { max_numbers: 50 }));
  });

  it('makes the checks of the API in its order', async () => {
    const poor = await gateway.customer({ plan: null });
    const owner = await memberOf(gateway, poor.accountId, 'owner');
    const broken = { body: '{' };
    const ask = (path: string) => owner.call('POST', path, broken).then(outcome);
    const both = ['/portal/api/messages/text', '/portal/api/numbers/check'];
    for (const path of both) expect(await ask(path)).toBe('402 no_active_subscription');
    await updateAccount(gateway.app.store, poor.accountId, { accessEndsAt: 1 }, at(systemClock.now()));
    for (const path of both) expect(await ask(path)).toBe('403 access_expired');
    await updateAccount(gateway.app.store, poor.accountId, { status: 'suspended' }, at(systemClock.now()));
    for (const path of both) expect(await ask(path)).toBe('403 account_suspended');
  });

  it('sends from the account’s own numbers alone', async () => {
    const stranger = await gateway.customer();
    const owner = await memberOf(gateway, stranger.accountId, 'owner');
    expect(outcome(await send('text', { text: 'not my number' }, {}, owner))).toBe('404 instance_not_found');
    expect(outcome(await send('text', { text: 'not my account' }, { account: stranger.accountId }))).toBe('403 forbidden');
  });

  it('is for sessions alone', async () => {
    const body = { instance_id, to, text: 'by key' };
    for (const path of ['/portal/api/messages/text', '/portal/api/numbers/check']) {
      expect(outcome(await gateway.call('POST', path, { key: customer.key, body }))).toBe('401 missing_session');
      expect(outcome(await openBrowser(gateway).call('POST', path, { body }))).toBe('401 missing_session');
      expect(outcome(await member.call('POST', path, { body, headers: { 'x-portal': undefined } }))).toBe('403 forbidden');
    }
  });

  it('has the forms described from the kinds themselves', async () => {
    const { kinds } = expectOk(await member.call('GET', '/portal/api/kinds')).body.data;
    const { paths, components } = (await gateway.call('GET', '/openapi.json')).body;
    expect(kinds.map(({ type }: { type: string }) => type)).toEqual(allKinds.map(({ type }) => type));
    for (const view of kinds) {
      const { schema } = paths[`/v1/messages/${view.type}`].post.requestBody.content['application/json'];
      expect(view.schema).toEqual(components.schemas[schema.$ref.split('/').at(-1)]);
      expect(Object.keys(view.examples).length).toBeGreaterThan(0);
    }
    expect(kinds.find(({ type }: { type: string }) => type === 'audio')).toMatchObject({ media: 'voice', best_effort_note: null });
    expect(kinds.find(({ type }: { type: string }) => type === 'list')).toMatchObject({
      media: null,
      best_effort_note: expect.stringMatching(/\S/),
    });
  });
});
