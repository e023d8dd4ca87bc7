import { describe, expect, it, vi } from 'vitest';
import { createKey, listKeys, revokeKey } from '../../src/accounts/index.ts';
import { systemClock } from '../../src/core/index.ts';
import { at } from '../support/act.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { useGateway } from '../support/use-gateway.ts';
import { outcome } from './outcome.ts';

const id = '0190a0a0-0000-7000-8000-000000000001';

/** Every endpoint that needs a key. */
const endpoints: [string, string][] = [
  ...['text', 'image', 'document', 'video', 'audio', 'sticker', 'location', 'contact', 'poll', 'reaction', 'buttons', 'list'].map(
    (type): [string, string] => ['POST', `/v1/messages/${type}`],
  ),
  ['POST', '/v1/numbers/check'],
  ['POST', '/v1/instances'],
  ['GET', '/v1/instances'],
  ['GET', `/v1/instances/${id}/status`],
  ['GET', `/v1/instances/${id}/qr`],
  ['GET', `/v1/instances/${id}/qr-status`],
  ['GET', `/v1/instances/${id}/passkey`],
  ['POST', `/v1/instances/${id}/passkey`],
  ['POST', `/v1/instances/${id}/passkey/confirm`],
  ['PATCH', `/v1/instances/${id}`],
  ['DELETE', `/v1/instances/${id}`],
  ['POST', '/sandbox/scan'],
  ['POST', '/sandbox/unlink'],
  ['GET', '/sandbox/messages?to=491701234567'],
];

describe('authentication', () => {
  const { gateway, customer } = useGateway();

  const anotherKey = (label: string | null = null) => createKey(gateway.app.store, customer.accountId, { label }, at(systemClock.now()));
  const list = (key: string) => gateway.call('GET', '/v1/instances', { key });

  describe.each(endpoints)('%s %s', (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{' };

    it('answers 401 missing_api_key without the header [key.required key.missing idem.header-place]', async () => {
      const answer = await gateway.call(method, path, body);
      expect(outcome(answer)).toBe('401 missing_api_key');
      expect([...answer.headers.keys()].filter((name) => /^x-ratelimit|^idempotency/.test(name))).toEqual([]);
    });

    it('answers 401 invalid_api_key to an unknown key [key.invalid order.before-body]', async () => {
      const answer = await gateway.call(method, path, { ...body, key: 'mgw_abcdefgh_unknown' });
      expect(outcome(answer)).toBe('401 invalid_api_key');
      expect([...answer.headers.keys()].filter((name) => /^x-ratelimit|^idempotency/.test(name))).toEqual([]);
    });
  });

  it('does not ask for a key on the health check [key.required]', async () => {
    expect(outcome(await gateway.call('GET', '/health'))).toBe('200');
    expect(outcome(await gateway.call('GET', '/health', { key: 'mgw_abcdefgh_unknown' }))).toBe('200');
  });

  it('takes the key in the header apikey, in any letter case, and nowhere else [key.header key.test]', async () => {
    expect(outcome(await gateway.call('GET', '/v1/instances', { headers: { APIKEY: customer.key } }))).toBe('200');
    for (const headers of [
      { authorization: `Bearer ${customer.key}` },
      { authorization: customer.key },
      { 'x-api-key': customer.key },
      { 'api-key': customer.key },
      { cookie: `apikey=${customer.key}` },
    ]) {
      expect(outcome(await gateway.call('GET', '/v1/instances', { headers }))).toBe('401 missing_api_key');
    }
    expect(outcome(await gateway.call('GET', `/v1/instances?apikey=${customer.key}`))).toBe('401 missing_api_key');
    expect(outcome(await gateway.call('POST', '/v1/messages/text', { body: { apikey: customer.key } }))).toBe('401 missing_api_key');
  });

  it('takes an empty header for a missing one, and anything but the whole key for an unknown one [key.missing]', async () => {
    expect(outcome(await gateway.call('GET', '/v1/instances', { headers: { apikey: '' } }))).toBe('401 missing_api_key');
    const { key } = customer;
    const [prefix] = await listKeys(gateway.app.store, customer.accountId);
    for (const other of [
      key.slice(0, -1),
      `${key}x`,
      key.toUpperCase(),
      prefix?.prefix ?? '',
      `${key}, ${key}`,
      `Bearer ${key}`,
      "' or 1=1 --",
    ]) {
      expect(outcome(await list(other))).toBe('401 invalid_api_key');
    }
  });

  it('answers a revoked key exactly as an unknown one, from the next request on [key.invalid key.revoked key.test]', async () => {
    const made = await anotherKey();
    expect(outcome(await list(made.key))).toBe('200');
    await revokeKey(gateway.app.store, made.id, at(systemClock.now()));
    const revoked = await list(made.key);
    const unknown = await list('mgw_abcdefgh_unknown');
    expect(outcome(revoked)).toBe('401 invalid_api_key');
    const shown = ({ body, headers }: typeof revoked) => ({
      error: body.error,
      names: [...headers.keys()].sort(),
      length: headers.get('content-length'),
    });
    expect(shown(revoked)).toEqual(shown(unknown));
    // The account's other keys go on.
    expect(outcome(await list(customer.key))).toBe('200');
  });

  it('lets every live key of the account use every instance of it, and no instance of another account [key.any]', async () => {
    const instance_id = await customer.linked();
    const second = await anotherKey('second');
    const body = { instance_id, to: '491701234567', text: 'Hello' };
    for (const key of [customer.key, second.key]) {
      expect(outcome(await gateway.call('POST', '/v1/messages/text', { key, body }))).toBe('200');
      expect((await list(key)).body.data.instances.map((one: { instance_id: string }) => one.instance_id)).toContain(instance_id);
    }
    const stranger = await gateway.customer();
    const unknown = await stranger.send('text', { ...body, instance_id: id });
    const foreign = await stranger.send('text', body);
    expect(outcome(foreign)).toBe('404 instance_not_found');
    expect(foreign.body.error).toEqual(unknown.body.error);
  });

  it('rotates without downtime: a new key, both live, the old one revoked [key.rotation]', async () => {
    const rotating = await gateway.customer();
    const old = (await listKeys(gateway.app.store, rotating.accountId))[0];
    const fresh = await createKey(gateway.app.store, rotating.accountId, { label: 'new' }, at(systemClock.now()));
    expect(outcome(await list(rotating.key))).toBe('200');
    expect(outcome(await list(fresh.key))).toBe('200');
    const used = async () => (await listKeys(gateway.app.store, rotating.accountId)).map((key) => key.last_used_at);
    await vi.waitFor(async () => expect(await used()).not.toContain(null));
    await revokeKey(gateway.app.store, old?.id ?? '', at(systemClock.now()));
    expect(outcome(await list(rotating.key))).toBe('401 invalid_api_key');
    expect(outcome(await list(fresh.key))).toBe('200');
  });

  it('keeps only a hash of a key [key.hash]', async () => {
    const { rows } = { rows: await gateway.app.store.db.selectFrom('api_keys').selectAll().execute() };
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(customer.key);
    expect(JSON.stringify(rows)).not.toContain(customer.key.slice(-40));
  });
});

describe('the last use of a key', () => {
  const clock = createManualClock();
  const { gateway } = useGateway({ overrides: { clock } });

  it('is shown in the key list with prefix, label and creation [key.list]', async () => {
    const customer = await gateway.customer();
    const { store } = gateway.app;
    const made = await createKey(store, customer.accountId, { label: 'shop' }, at(clock.now()));
    const shown = async () => (await listKeys(store, customer.accountId)).find((key) => key.id === made.id);
    const created = clock.now();
    expect(await shown()).toMatchObject({ prefix: made.key.slice(0, 12), label: 'shop', created_at: created, last_used_at: null });
    expect(made.key).toMatch(/^mgw_[a-z0-9]{8}_[a-z0-9]{40}$/);

    clock.advance(5_000);
    await gateway.call('GET', '/v1/instances', { key: made.key });
    await vi.waitFor(async () => expect(await shown()).toMatchObject({ created_at: created, last_used_at: created + 5_000 }));
    clock.advance(60_000);
    // A refused request is a use of the key as well.
    await gateway.call('GET', `/v1/instances/${id}/status`, { key: made.key });
    await vi.waitFor(async () => expect(await shown()).toMatchObject({ last_used_at: created + 65_000 }));
    expect(JSON.stringify(await shown())).not.toContain(made.key);
  });
});
