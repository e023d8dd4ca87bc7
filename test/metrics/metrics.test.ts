import { beforeAll, describe, expect, it } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import { type Customer, startGateway } from '../support/gateway.ts';
import { useGateway } from '../support/use-gateway.ts';

const token = 'a-token-of-the-monitor';

describe('metrics', () => {
  let customer: Customer;
  let instance_id: string;
  const { gateway } = useGateway({ env: { METRICS_TOKEN: token, NETWORKS: 'sandbox,whatsapp' } });
  beforeAll(async () => {
    gateway.secrets.add('the token for metrics', token);
    customer = await gateway.customer({ plan: await gateway.plan({ messagesPerMinute: 6 }) });
    instance_id = await customer.linked();
  });
  const scrape = (authorization?: string) =>
    gateway.call('GET', '/metrics', { headers: authorization === undefined ? {} : { authorization } });
  const metrics = async (): Promise<string> => (await scrape(`Bearer ${token}`)).body;
  /** The value of a series; undefined when there is none. */
  const series = (told: string, name: string) => {
    const line = told.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length + 1));
  };

  it('are told to whoever has the token, and to nobody else', async () => {
    const answer = await scrape(`Bearer ${token}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    for (const wrong of [
      undefined,
      '',
      token,
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `bearer ${token}`,
      `Bearer ${'x'.repeat(5000)}`,
    ]) {
      const refused = await scrape(wrong);
      expect([refused.status, refused.headers.get('www-authenticate'), refused.body]).toEqual([401, 'Bearer', 'A token is needed.\n']);
    }
  });

  it('count requests, sends with their stages, replays and refusals of the limiter', async () => {
    const text = (to: string, key?: string) =>
      customer.send('text', { instance_id, to, text: 'Hello' }, key === undefined ? {} : { 'idempotency-key': key });
    for (let i = 0; i < 2; i++) expect(outcome(await text('15550123', 'order-1042'))).toBe('200');
    expect(outcome(await text('15550000'))).toBe('422 invalid_recipient');
    for (let i = 0; i < 3; i++) await text('15550123');
    expect(outcome(await text('15550123'))).toBe('429 rate_limit_exceeded');
    await gateway.call('GET', '/no/such/path/of/anybody');
    await gateway.call('PUT', '/portal/api/language', { body: { language: 'en' } });

    const told = await metrics();
    const route = 'route="/v1/messages/text"';
    expect(series(told, `gateway_requests_total{method="POST",${route},status="200",code="ok"}`)).toBe(5);
    expect(series(told, `gateway_requests_total{method="POST",${route},status="429",code="rate_limit_exceeded"}`)).toBe(1);
    expect(series(told, 'gateway_requests_total{method="GET",route="none",status="404",code="not_found"}')).toBe(1);
    expect(told).toContain('gateway_requests_total{method="PUT",route="/portal/api/language"');
    expect(series(told, 'gateway_sends_total{kind="text",outcome="sent"}')).toBe(4);
    expect(series(told, 'gateway_sends_total{kind="text",outcome="replayed"}')).toBe(1);
    expect(series(told, 'gateway_sends_total{kind="text",outcome="invalid_recipient"}')).toBe(1);
    expect(series(told, 'gateway_rate_limit_refusals_total')).toBe(1);
    expect(series(told, 'gateway_send_stage_seconds_count{stage="network"}')).toBeGreaterThanOrEqual(4);
    expect(series(told, `gateway_request_duration_seconds_count{${route}}`)).toBe(7);
    expect(series(told, 'gateway_store_batch_calls_count')).toBeGreaterThan(0);
    // Nothing that a caller chooses, and nobody's data, is in a label.
    for (const secret of [customer.accountId, instance_id, '15550123', 'such', 'Hello']) expect(told).not.toContain(secret);
  });

  it('show numbers, pending writes and the client version', async () => {
    const told = await metrics();
    expect(series(told, 'gateway_numbers{network="sandbox",status="open",restriction="none"}')).toBe(1);
    expect(series(told, 'gateway_pending_writes')).toBe(0);
    expect(series(told, 'gateway_pending_writes_oldest_seconds')).toBe(0);
    expect(series(told, 'gateway_ready')).toBe(1);
    expect(series(told, 'gateway_connections')).toBeGreaterThan(0);
    expect(told).toMatch(/^gateway_client_version_info\{version="2\.3000\.\d+",source="bundled"\} 1$/m);
    expect(series(told, 'gateway_client_version_age_seconds')).toBeGreaterThan(0);
    expect(told).toContain('nodejs_eventloop_lag_p99_seconds');

    const phone = '4915550199';
    await customer.linked(phone);
    // It is there before the first link ends, because an alert looks for an increase.
    expect(series(await metrics(), 'gateway_links_ended_total{network="sandbox",reason="unlinked"}')).toBe(0);
    expect(series(told, 'gateway_links_ended_total{network="whatsapp",reason="banned"}')).toBe(0);
    await customer.call('POST', '/sandbox/unlink', { phone_number: phone });
    expect(series(await metrics(), 'gateway_links_ended_total{network="sandbox",reason="unlinked"}')).toBe(1);
  });
});

describe('the log', () => {
  it('has one line for each request with LOG_LEVEL=debug, and none otherwise', async () => {
    for (const [level, lines] of [
      ['debug', 1],
      ['info', 0],
    ] as const) {
      const gateway = await startGateway('sqlite', { env: { LOG_LEVEL: level } });
      try {
        const customer = await gateway.customer();
        const instance_id = await customer.linked();
        const { body } = await customer.send('text', { instance_id, to: '15550123', text: 'Nothing of this' });
        const logged = gateway
          .logged()
          .trim()
          .split('\n')
          .filter((line) => line.includes(body.request_id));
        expect(logged).toHaveLength(lines);
        if (lines === 0) continue;
        expect(JSON.parse(logged[0] ?? '')).toEqual({
          level: 20,
          time: expect.any(Number),
          pid: expect.any(Number),
          hostname: expect.any(String),
          msg: 'request',
          request_id: body.request_id,
          method: 'POST',
          route: '/v1/messages/text',
          status: 200,
          code: null,
          duration_ms: expect.any(Number),
          account_id: customer.accountId,
          instance_id,
          message_type: 'text',
          message_id: body.data.message_id,
          idempotency: null,
        });
      } finally {
        await gateway.stop();
      }
    }
  });
});

describe('metrics', () => {
  it('are not there unless a setting asks for them', async () => {
    const gateway = await startGateway('sqlite');
    try {
      expect(outcome(await gateway.call('GET', '/metrics'))).toBe('404 not_found');
      expect(gateway.app.metricsAddress).toBeNull();
    } finally {
      await gateway.stop();
    }
  });

  it('are true when they are first asked for', async () => {
    const gateway = await startGateway('sqlite', { env: { METRICS_PORT: '0', NETWORKS: 'sandbox,whatsapp' } });
    try {
      const told = await (await fetch(`${gateway.app.metricsAddress}/metrics`)).text();
      expect(told).toMatch(/^gateway_client_version_age_seconds [1-9]\d+/m);
      expect(told).toMatch(/^gateway_pending_writes_oldest_seconds 0$/m);
      expect(told).not.toMatch(/^gateway_client_version_expires_timestamp_seconds \d/m);
    } finally {
      await gateway.stop();
    }
  });

  it('have a port of their own with METRICS_PORT, on which is nothing else', async () => {
    const gateway = await startGateway('sqlite', { env: { METRICS_PORT: '0' } });
    try {
      expect(outcome(await gateway.call('GET', '/metrics'))).toBe('404 not_found');
      const at = gateway.app.metricsAddress ?? '';
      const ask = async (path: string, init?: RequestInit) => (await fetch(at + path, init)).status;
      expect(await ask('/metrics')).toBe(200);
      expect([await ask('/'), await ask('/health'), await ask('/metrics', { method: 'POST', body: 'x' })]).toEqual([404, 404, 404]);
    } finally {
      await gateway.stop();
    }
  });

  it('on a port of their own ask for the token too, and say when the port is taken', async () => {
    const gateway = await startGateway('sqlite', { env: { METRICS_PORT: '0', METRICS_TOKEN: token } });
    try {
      const at = gateway.app.metricsAddress ?? '';
      const status = async (headers: Record<string, string>) => (await fetch(`${at}/metrics`, { headers })).status;
      expect([await status({}), await status({ authorization: `Bearer ${token}` })]).toEqual([401, 200]);
      const taken = startGateway('sqlite', { env: { METRICS_PORT: new URL(at).port } });
      await expect(taken).rejects.toThrow(/^METRICS_PORT \d+ on 127\.0\.0\.1 cannot be opened: it is in use$/);
    } finally {
      await gateway.stop();
    }
  });
});
