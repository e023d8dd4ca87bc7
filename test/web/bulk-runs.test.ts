import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BulkResult } from '../../src/portal/wire/listing.ts';
import { ApiError } from '../../web/src/api/client.ts';
import { idsWith, namedOf } from '../../web/src/parts/bulk/outcomes.ts';
import { previewBulk, runBulk } from '../../web/src/parts/bulk/run-bulk.ts';

type Refusals = Readonly<Record<number, { readonly status: number; readonly code: string; readonly seconds?: number }>>;

const request = { path: '/portal/api/operator/accounts', body: { action: 'extend', days: 30 }, account: 'one' } as const;

function record(id: string, more: Partial<BulkResult> = {}): BulkResult {
  const nothing = { reason: null, link: null, before: null, after: null, mail_to: null, mail_account_id: null };
  return { id, name: `Account ${id}`, outcome: 'possible', ...nothing, ...more };
}
const records = (count: number, more: Partial<BulkResult> = {}) =>
  Array.from({ length: count }, (_, place) => record(`${more.mail_account_id ?? ''}${place}`, more));

/** A server that refuses these requests, counted from 1, and does what the others ask. Gives the ids of each request. */
function server(refusals: Refusals = {}): readonly (readonly string[])[] {
  const asked: (readonly string[])[] = [];
  vi.stubGlobal('fetch', async (_: string, { body, signal }: RequestInit) => {
    signal?.throwIfAborted();
    const { ids } = JSON.parse(String(body)) as { readonly ids: readonly string[] };
    asked.push(ids);
    const refusal = refusals[asked.length];
    if (refusal === undefined)
      return Response.json({ success: true, data: { results: ids.map((id) => record(id, { outcome: 'done' })) }, request_id: 'id' });
    const { status, code, seconds } = refusal;
    const error = { code, message: code, details: { retry_after_seconds: seconds } };
    return Response.json({ success: false, error, request_id: 'id' }, { status });
  });
  return asked;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('an action for many', () => {
  it('waits as long as the server says when there were too many requests', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = server({ 2: { status: 429, code: 'rate_limit_exceeded', seconds: 40 } });
    const ran = runBulk({ ...request, records: records(150) });
    await vi.advanceTimersByTimeAsync(39_000);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(idsWith((await ran).results, 'done')).toHaveLength(150);
    expect(asked.map(({ length }) => length)).toEqual([100, 50, 50]);
  });

  it('that is stopped halfway says what was done, what is not known and what was not, as it was before', async () => {
    server({ 2: { status: 503, code: 'internal_error' } });
    const before = { status: 'active', suspended_by: null, plan: null, plan_name: null, plan_ends_at: null, access_ends_at: null } as const;
    const { results, stopped } = await runBulk({ ...request, records: records(250, { before }) });
    expect(results).toHaveLength(250);
    expect(results.slice(0, 100).every(({ outcome }) => outcome === 'done')).toBe(true);
    expect(results.slice(100, 200).every((one) => one.outcome === 'unknown' && one.before === before)).toBe(true);
    expect(results.slice(200).every(({ outcome }) => outcome === 'failed')).toBe(true);
    expect(stopped).toBeInstanceOf(ApiError);
  });

  it('is given the time that it may take the server', async () => {
    server();
    const limit = vi.spyOn(AbortSignal, 'timeout');
    await runBulk({ ...request, records: records(100) });
    // Four at a time, each of which the network may take ten seconds to unlink.
    expect(limit.mock.lastCall?.[0]).toBeGreaterThanOrEqual((100 / 4) * 10_000);
    limit.mockRestore();
  });

  it('whose answer is lost at once is not known either', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')));
    const { results } = await runBulk({ ...request, records: records(2) });
    expect(idsWith(results, 'unknown')).toEqual(['0', '1']);
  });

  it('is not in doubt about what the server refused: that can be retried', async () => {
    const refusal = { status: 403, code: 'forbidden' };
    server({ 2: refusal });
    const { results } = await runBulk({ ...request, records: records(150) });
    expect([idsWith(results, 'done').length, idsWith(results, 'failed').length]).toEqual([100, 50]);
    server({ 1: refusal });
    await expect(runBulk({ ...request, records: records(150) })).rejects.toThrow('forbidden');
  });

  it('asks for the numbers of an account together, whose owners get one mail for each request', async () => {
    const asked = server();
    const [a, b] = [records(60, { mail_account_id: 'a' }), records(60, { mail_account_id: 'b' })];
    const mixed = a.flatMap((one, place) => [one, ...b.slice(place, place + 1)]);
    await runBulk({ ...request, records: [...mixed, ...records(120, { mail_account_id: 'c' })] });
    const accounts = asked.map((ids) => [...new Set(ids.map((id) => id.charAt(0)))].join());
    expect(accounts).toEqual(['a', 'b', 'c', 'c']);
    expect(asked.flat()).toHaveLength(240);
  });

  it('is looked at no further when the preview is taken back', async () => {
    const asked = server();
    const taken = new AbortController();
    const looked = previewBulk({ ...request, ids: records(250).map(({ id }) => id), signal: taken.signal });
    taken.abort();
    await expect(looked).rejects.toThrow();
    expect(asked.length).toBeLessThan(3);
  });
});

it('names every record with a one-time link, and of the others first those in doubt', () => {
  const many = [
    ...records(150, { outcome: 'failed' }),
    record('doubt', { outcome: 'unknown' }),
    ...records(120, { outcome: 'done', link: 'https://…' }),
  ];
  expect(namedOf(many).filter(({ link }) => link !== null)).toHaveLength(120);
  const few = namedOf([...records(150, { outcome: 'failed' }), record('doubt', { outcome: 'unknown' })]);
  expect(few).toHaveLength(100);
  expect(few[0]?.id).toBe('doubt');
});
