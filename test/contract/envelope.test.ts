import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { findRequest } from '../../src/requests/index.ts';
import type { Answer } from '../support/gateway.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';
import { outcome } from './outcome.ts';

const unknownId = '0190a0a0-0000-7000-8000-000000000001';

describe('every response', () => {
  let instance_id: string;
  const { gateway, customer } = useGateway();
  beforeAll(async () => {
    instance_id = await customer.linked();
  });

  // The log is written up to a second late; the wait is generous because a busy machine is later still.
  const logged = (answer: Answer) => waitFor(() => findRequest(gateway.app.store, answer.body.request_id));

  const text = (fields: object = {}) => ({ instance_id, to: '491701234567', text: 'Hello', ...fields });
  const cases: [string, string, () => Promise<Answer>][] = [
    ['a health check', '200', () => gateway.call('GET', '/health')],
    ['a send', '200', () => customer.send('text', text())],
    ['a list of instances', '200', () => customer.call('GET', '/v1/instances')],
    ['a field that is wrong', '400 invalid_request', () => customer.send('text', text({ text: '' }))],
    ['a media link that is refused', '400 invalid_media_url', () => customer.send('image', { ...text(), url: 'http://localhost/' })],
    ['no key', '401 missing_api_key', () => gateway.call('GET', '/v1/instances')],
    ['an unknown key', '401 invalid_api_key', () => gateway.call('GET', '/v1/instances', { key: 'mgw_abcdefgh_nothing' })],
    ['no plan', '402 no_active_subscription', async () => (await gateway.customer({ plan: null })).send('text', text())],
    ['a suspended account', '403 account_suspended', async () => (await gateway.customer({ status: 'suspended' })).send('text', text())],
    ['an unknown path', '404 not_found', () => gateway.call('GET', '/nowhere')],
    ['a path that no URL can have', '404 not_found', () => gateway.call('GET', '/v1/%zz')],
    ['an unknown instance', '404 instance_not_found', () => customer.send('text', text({ instance_id: unknownId }))],
    ['a body over 128 KB', '413 payload_too_large', () => customer.send('text', text({ more: 'x'.repeat(131_072) }))],
    ['an unusable recipient', '422 invalid_recipient', () => customer.send('text', text({ to: 'nobody' }))],
    ['a network that does not answer', '502 upstream_unavailable', () => customer.send('text', text({ to: '491701230001' }))],
  ];

  // At once, because each waits for the log.
  it.concurrent.each(cases)(
    'has the envelope and is found in the request log: %s [service.json envelope.success envelope.failure request-id.uuid request-id.kept]',
    async (_, expected, call) => {
      const answer = await call();
      expect(outcome(answer)).toBe(expected);
      expect(await logged(answer)).toMatchObject({
        request_id: answer.body.request_id,
        status: answer.status,
        code: answer.body.error?.code ?? null,
      });
    },
  );

  it('has a request id of its own [request-id.every]', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.call('GET', '/health')));
    expect(new Set(answers.map((answer) => answer.body.request_id)).size).toBe(20);
  });

  it('ignores a request id that the caller brings [request-id.uuid]', async () => {
    const answer = await gateway.call('GET', '/health', { headers: { 'x-request-id': unknownId, 'request-id': unknownId } });
    expect(outcome(answer)).toBe('200');
    expect(answer.body.request_id).not.toBe(unknownId);
  });

  it('tells support who sent what kind of message to whom, and never what it said [request-id.support content.never]', async () => {
    const secret = 'the-words-nobody-may-keep';
    const answer = await customer.send('text', text({ text: secret, unknown: secret }), { 'idempotency-key': 'envelope-1' });
    const refused = await customer.send('text', text({ text: secret, to: secret }), { 'idempotency-key': 'envelope-2' });
    expect([outcome(answer), outcome(refused)]).toEqual(['200', '422 invalid_recipient']);
    expect(JSON.stringify(refused.body)).not.toContain(secret);
    expect(await logged(answer)).toMatchObject({
      account_id: customer.accountId,
      method: 'POST',
      path: '/v1/messages/text',
      instance_id,
      message_type: 'text',
      message_id: answer.body.data.message_id,
      recipient: '491701234567',
      idempotency: 'new',
    });
    await logged(refused);

    const { db } = gateway.app.store;
    const tables = await db.introspection.getTables();
    const holding: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
      if (JSON.stringify(rows).includes(secret)) holding.push(name);
    }
    // The sandbox's contacts have their chats, as real ones have theirs on their phones.
    expect(holding).toEqual(['sandbox_messages']);
    expect(gateway.logged()).not.toContain(secret);
    expect(gateway.logged()).not.toContain(customer.key);
  });
});

describe('a failure nobody thought of', () => {
  const { gateway } = useGateway();

  it('is 500 internal_error with nothing internal in it, and the whole story in the log [envelope.failure errors.internal request-id.log errors.no-leak]', async () => {
    const customer = await gateway.customer();
    const instance_id = await customer.linked();
    await gateway.app.store.db.schema.dropTable('claims').execute();
    const answer = await customer.send('text', { instance_id, to: '491701234567', text: 'Hello' }, { 'idempotency-key': 'broken-1' });
    expect(outcome(answer)).toBe('500 internal_error');
    expect(JSON.stringify(answer.body)).not.toMatch(/claims|sql|relation|table|node_modules|\.ts|at \S+ \(/i);
    expect(answer.body.error).not.toHaveProperty('details');
    const story = gateway.logged().split('\n');
    const told = story.filter((line) => line.includes('claims'));
    expect(told).not.toEqual([]);
    for (const line of told) expect(line).toContain(answer.body.request_id);
  });
});
