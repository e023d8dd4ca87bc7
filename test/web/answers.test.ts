import { afterEach, expect, test, vi } from 'vitest';
import { call, callRaw } from '../../web/src/api/client.ts';

afterEach(() => void vi.unstubAllGlobals());

test('what a proxy answers in place of the server is no answer', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ message: 'no upstream' }, { status: 502 }));
  const unreachable = { code: 'unreachable', status: 0, requestId: null };
  await expect(call('GET /portal/api/session', { account: null })).rejects.toMatchObject(unreachable);
  const send = callRaw('POST /portal/api/messages/:type', { params: { type: 'text' }, body: {}, account: null });
  await expect(send).rejects.toMatchObject(unreachable);
});
