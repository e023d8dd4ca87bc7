import { beforeAll, describe, expect, it } from 'vitest';
import type { ActivityPage } from '../../src/portal/wire/sending.ts';
import { findRequest } from '../../src/requests/index.ts';
import { outcome } from '../contract/outcome.ts';
import { openStream } from '../support/event-stream.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, operator, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const dayMs = 24 * 60 * 60 * 1000;
const to = '491701234567';
const other = '491701234568';
const secret = 'the words of the message';

describe('activity in the portal', () => {
  const clock = createManualClock();
  let customer: Customer;
  let stranger: Customer;
  let member: SignedIn;
  let instance_id: string;
  /** Request ids, oldest first. */
  const sent: Record<'byKey' | 'byPage' | 'refused' | 'located' | 'foreign', string> = {
    byKey: '',
    byPage: '',
    refused: '',
    located: '',
    foreign: '',
  };
  const { gateway } = useGateway({ overrides: { clock } });
  beforeAll(async () => {
    [customer, stranger] = [await gateway.customer(), await gateway.customer()];
    member = await memberOf(gateway, customer.accountId);
    instance_id = await customer.linked('491710000901');
    const text = { instance_id, to, text: secret };
    sent.byKey = (await customer.send('text', text, { 'idempotency-key': 'activity-1' })).body.request_id;
    sent.byPage = (await member.call('POST', '/portal/api/messages/text', { body: text })).body.request_id;
    sent.refused = (await customer.send('text', { instance_id, to: '491701230000', text: secret })).body.request_id;
    sent.located = (await customer.send('location', { instance_id, to: other, latitude: 1, longitude: 2 })).body.request_id;
    const theirs = { instance_id: await stranger.linked('491710000902'), to, text: secret };
    sent.foreign = (await stranger.send('text', theirs)).body.request_id;
    const owner = await memberOf(gateway, stranger.accountId);
    // Found at once: the log, which is written a little later, is written when somebody asks.
    expectOk(await request(sent.foreign, owner));
  });
  const ask = (query = '') => member.call('GET', `/portal/api/activity${query}`);
  const ids = async (query = '') => expectOk(await ask(query)).body.data.items.map((item: { request_id: string }) => item.request_id);
  const request = (id: string, by = member) => by.call('GET', `/portal/api/requests/${id}`);

  it('lists sends newest first, with what they did and never their content', async () => {
    const answer = expectOk(await ask());
    const { items, cursor, searched_back_to } = answer.body.data;
    expect(items.map((item: { request_id: string }) => item.request_id)).toEqual([sent.located, sent.refused, sent.byPage, sent.byKey]);
    expect(cursor).toBeNull();
    expect(searched_back_to).toBe(new Date(clock.now()).toISOString());
    expect(items[3]).toEqual({
      request_id: sent.byKey,
      at: new Date(clock.now()).toISOString(),
      duration_ms: expect.any(Number),
      method: 'POST',
      path: '/v1/messages/text',
      status: 200,
      code: null,
      error_message: null,
      instance_id,
      message_type: 'text',
      message_id: expect.stringMatching(/^3EB0/),
      recipient: to,
      media_host: null,
      idempotency: 'new',
      person: null,
      key_prefix: customer.key.slice(0, 12),
      stages: ['admission', 'validation', 'claim', 'network', 'settle'].map((stage) => ({ stage, ms: expect.any(Number) })),
    });
    expect(items[2]).toMatchObject({ path: '/portal/api/messages/text', key_prefix: null, person: member.email, idempotency: null });
    expect(items[1]).toMatchObject({ status: 422, code: 'invalid_recipient', message_id: null, recipient: '491701230000' });
    expect(items[1].error_message).toContain('not on the network');
    expect(JSON.stringify(answer.body)).not.toContain(secret);
  });

  it('filters', async () => {
    expect(await ids(`?instance_id=${instance_id.toUpperCase()}&outcome=sent`)).toEqual([sent.located, sent.byPage, sent.byKey]);
    expect(await ids('?instance_id=0190a0a0-0000-7000-8000-000000000001')).toEqual([]);
    expect(await ids('?type=location')).toEqual([sent.located]);
    expect(await ids('?outcome=failed')).toEqual([sent.refused]);
    expect(await ids('?outcome=invalid_recipient')).toEqual([sent.refused]);
    expect(await ids('?outcome=rate_limit_exceeded')).toEqual([]);
    expect([await ids('?outcome=4xx'), await ids('?outcome=5xx')]).toEqual([[sent.refused], []]);
    expect(await ids(`?recipient=%2B49+170-123+45+68`)).toEqual([sent.located]);
    const [before, at, after] = [-1, 0, 1].map((ms) => new Date(clock.now() + ms).toISOString());
    expect(await ids(`?from=${at}&to=${after}`)).toEqual([sent.located, sent.refused, sent.byPage, sent.byKey]);
    expect(await ids(`?outcome=failed&from=${at}&to=${after}`)).toEqual([sent.refused]);
    expect([await ids(`?from=${after}`), await ids(`?from=${before}&to=${at}`)]).toEqual([[], []]);
  });

  it('shows what a key of the account sent, and nothing for a key of another one', async () => {
    const keyOf = async ({ accountId }: Customer): Promise<string> => {
      const owner = await memberOf(gateway, accountId, 'owner');
      return expectOk(await owner.call('GET', '/portal/api/keys')).body.data.rows[0].key_id;
    };
    const key = await keyOf(customer);
    expect(await ids(`?key_id=${key.toUpperCase()}`)).toEqual([sent.located, sent.refused, sent.byKey]);
    expect(await ids(`?key_id=${key}&outcome=failed`)).toEqual([sent.refused]);
    const first = expectOk(await ask(`?key_id=${key}&limit=2`)).body.data;
    expect(await ids(`?key_id=${key}&limit=2&cursor=${first.cursor}`)).toEqual([sent.byKey]);
    for (const id of [await keyOf(stranger), '0190a0a0-0000-7000-8000-000000000001'])
      expect(expectOk(await ask(`?key_id=${id}`)).body.data).toEqual({ items: [], cursor: null, searched_back_to: null });
  });

  it('goes on page by page', async () => {
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: ActivityPage = expectOk(await ask(`?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)).body.data;
      expect(page.items.length).toBeLessThanOrEqual(3);
      found.push(...page.items.map(({ request_id }) => request_id));
      cursor = page.cursor;
    }
    expect(found).toEqual([sent.located, sent.refused, sent.byPage, sent.byKey]);
  });

  it('gives a cursor that tells nothing and is good for this account alone', async () => {
    const { cursor } = expectOk(await ask('?limit=1')).body.data;
    expect(Buffer.from(cursor, 'base64url').toString()).not.toContain(String(clock.now()));
    const theirs = await memberOf(gateway, stranger.accountId);
    expect(await theirs.call('GET', `/portal/api/activity?cursor=${cursor}`)).toMatchObject(
      refusal(400, 'invalid_request', { field: 'cursor' }),
    );
  });

  it.each([
    ['instance_id=7', 'instance_id'],
    ['key_id=no+id', 'key_id'],
    ['type=fax', 'type'],
    ['outcome=lost', 'outcome'],
    ['recipient=12', 'recipient'],
    ['recipient=', 'recipient'],
    ['recipient=anna', 'recipient'],
    ['recipient=+49+170+call+me', 'recipient'],
    ['from=yesterday', 'from'],
    ['to=2026-13-01', 'to'],
    ['cursor=abc', 'cursor'],
    ['cursor=', 'cursor'],
    [`cursor=${Buffer.from('1.1').toString('base64url')}`, 'cursor'],
    [`cursor=${'A'.repeat(80)}`, 'cursor'],
    [`cursor=${'a'.repeat(101)}`, 'cursor'],
    ['from=yesterday', 'from'],
    ['to=25', 'to'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['type=text&type=image', 'type'],
  ])('refuses ?%s', async (query, field) => {
    expect(await ask(`?${query}`)).toMatchObject(refusal(400, 'invalid_request', { field }));
  });

  it('opens one request by its id, also one that is no send', async () => {
    expect(expectOk(await request(sent.located.toUpperCase())).body.data).toMatchObject({ message_type: 'location', recipient: other });
    const listed = (await customer.call('GET', '/v1/instances')).body.request_id;
    const answer = await waitFor(async () => expectOk(await request(listed)));
    expect(answer.body.data).toMatchObject({ path: '/v1/instances', status: 200, message_type: null, stages: [] });
  });

  it('names the person of a send in the portal, also of one that failed, to support and in the live stream [log.person]', async () => {
    expect(expectOk(await request(sent.byPage)).body.data).toMatchObject({ person: member.email, key_prefix: null });
    expect(expectOk(await request(sent.byKey)).body.data).toMatchObject({ person: null });
    expect(await findRequest(gateway.app.store, sent.byPage)).toMatchObject({ person_id: member.userId, person_email: member.email });
    const stream = await openStream(gateway, member);
    await stream.next('reset');
    // An operator's, for the account: what the banner promises.
    const boss = Object.assign(await operator(gateway), { account: customer.accountId });
    const failed = await boss.call('POST', '/portal/api/messages/text', { body: { instance_id, to: '491701230000', text: secret } });
    expect(outcome(failed)).toBe('422 invalid_recipient');
    expect((await stream.next('activity')).data).toMatchObject({ request_id: failed.body.request_id, person: boss.email });
    stream.close();
  });

  it("knows no other account's requests, and none that were not", async () => {
    for (const id of [sent.foreign, '0190a0a0-0000-7000-8000-000000000001', 'none', '%00'])
      expect(outcome(await request(id))).toBe('404 not_found');
  });

  it('forgets after 30 days', async () => {
    clock.advance(30 * dayMs + 1);
    expect(await ids()).toEqual([]);
  });
});
