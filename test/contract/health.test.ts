import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { refusal, uuidPattern } from '../support/refusal.ts';
import { makeUnreadable } from '../support/refused-writes.ts';
import { useGateway } from '../support/use-gateway.ts';

const imageCheck = join(import.meta.dirname, '../../deploy/docker/health-check.js');

describe('health', () => {
  const { gateway } = useGateway();

  it('answers without a key, in the envelope, with state and version [health.open]', async () => {
    const answer = await gateway.call('GET', '/health');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      data: { status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      request_id: expect.stringMatching(uuidPattern),
    });
    expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });

  it('does not mind a wrong key [health.open]', async () => {
    expect((await gateway.call('GET', '/health', { key: 'mgw_wrong' })).status).toBe(200);
  });

  it('answers the same at /health/ready while the server should get requests', async () => {
    const { status, body } = await gateway.call('GET', '/health/ready', { key: 'mgw_wrong' });
    expect([status, body.data]).toEqual([200, { status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) }]);
  });

  it("is not what the image's check asks, which passes while the store is away: a restart would cost the links", async () => {
    const check = (PORT: string) => promisify(execFile)(process.execPath, [imageCheck], { env: { PORT } });
    const { port } = new URL(gateway.address);
    const away = makeUnreadable(gateway.app.store);
    try {
      expect((await gateway.call('GET', '/health')).status).toBe(503);
      await check(port);
    } finally {
      away.end();
    }
    await expect(check('1')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('GET / failed') });
  });

  it('says nothing of what went wrong when the store is away [errors.no-leak]', async () => {
    const broken = await startGateway();
    try {
      await broken.app.store.db.destroy();
      const answer = await broken.call('GET', '/health');
      expect(answer).toMatchObject(refusal(500, 'internal_error'));
      expect(answer.body.error).toEqual({ code: 'internal_error', message: expect.not.stringMatching(/sql|driver|database|kysely/i) });
    } finally {
      await broken.stop();
    }
  });
});
