import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import type { PortalSession } from '../../src/portal/wire/session.ts';
import { actingAccount, call, callRaw } from '../../web/src/api/client.ts';
import { keepSearch, lastSearch } from '../../web/src/parts/last-search.ts';
import { changeAccount, followAccount } from '../../web/src/session/change-account.ts';
import { namedAccount, sessionQuery } from '../../web/src/session/session.ts';

afterEach(() => void vi.unstubAllGlobals());

function storeForTab(): void {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
}

test('what a proxy answers in place of the server is no answer', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ message: 'no upstream' }, { status: 502 }));
  const unreachable = { code: 'unreachable', status: 0, requestId: null };
  await expect(call('GET /portal/api/session', { account: null })).rejects.toMatchObject(unreachable);
  const send = callRaw('POST /portal/api/messages/:type', { params: { type: 'text' }, body: {}, account: null });
  await expect(send).rejects.toMatchObject(unreachable);
});

test('of two changes of the account the last one counts, also when it is answered first', async () => {
  storeForTab();
  const answers = { first: Promise.withResolvers<Response>(), second: Promise.withResolvers<Response>() };
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: { 'x-account-id': keyof typeof answers } }) =>
    (await answers[headers['x-account-id']].promise).clone(),
  );
  const answer = (account_id: keyof typeof answers) => {
    const data = { accounts: [{ account_id: 'first' }, { account_id: 'second' }], account: { account_id } };
    answers[account_id].resolve(Response.json({ success: true, data, request_id: 'r' }));
  };
  const queryClient = new QueryClient();
  const first = changeAccount(queryClient, 'first');
  const second = changeAccount(queryClient, 'second');
  answer('second');
  expect(await second).toBe(true);
  answer('first');
  expect(await first).toBe(false);
  expect(actingAccount.get()).toBe('second');
  expect(queryClient.getQueryData(sessionQuery.queryKey)?.account?.account_id).toBe('second');
  // A page that is no longer wanted when its account is answered changes nothing either.
  const wanted = new AbortController();
  const page = followAccount(queryClient, 'first', wanted.signal);
  wanted.abort();
  await page;
  expect(actingAccount.get()).toBe('second');
  queryClient.clear();
});

test('of several accounts the one that the server took is named from then on; an only one need not be', async () => {
  storeForTab();
  const data = { accounts: [{ account_id: 'first' }, { account_id: 'second' }], account: { account_id: 'first' } };
  vi.stubGlobal('fetch', async () => Response.json({ success: true, data, request_id: 'r' }));
  const queryClient = new QueryClient();
  await queryClient.fetchQuery(sessionQuery);
  expect(actingAccount.get()).toBe('first');
  queryClient.clear();

  const named = (session: object) => namedAccount(session as Pick<PortalSession, 'accounts' | 'account'>);
  expect(named({ accounts: [{ account_id: 'first' }], account: { account_id: 'first' } })).toBeNull();
  expect(named({ accounts: [{ account_id: 'first' }], account: { account_id: 'of a customer' } })).toBe('of a customer');
  expect(named({ accounts: [], account: null })).toBeNull();
});

test('an account that is refused after another one was chosen does not take its place', async () => {
  storeForTab();
  actingAccount.set('first');
  const refused = Promise.withResolvers<Response>();
  const data = { accounts: [{ account_id: 'first' }, { account_id: 'second' }], account: { account_id: 'second' } };
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: { 'x-account-id': string } }) =>
    headers['x-account-id'] === 'first' ? refused.promise : Response.json({ success: true, data, request_id: 'r' }),
  );
  const queryClient = new QueryClient();
  const late = queryClient.fetchQuery(sessionQuery).catch(() => undefined);
  await changeAccount(queryClient, 'second');
  refused.resolve(Response.json({ success: false, error: { code: 'forbidden', message: 'no' }, request_id: 'r' }, { status: 403 }));
  await late;
  await new Promise(setImmediate);
  expect(actingAccount.get()).toBe('second');
  queryClient.clear();
});

test('how a list was left is kept for its account and its person alone', () => {
  storeForTab();
  const owner = (user_id: string, account_id: string) =>
    ({ user: { user_id }, account: { account_id } }) as Pick<PortalSession, 'user' | 'account'>;
  const filter = { state: 'revoked' };
  actingAccount.set('second');
  keepSearch(owner('mia', 'second'), '/keys', { ...filter, account: 'second' });
  expect(lastSearch(owner('mia', 'second'), '/keys')).toEqual(filter);
  expect(lastSearch(owner('mia', 'first'), '/keys')).toEqual({});
  expect(lastSearch(owner('tom', 'second'), '/keys')).toEqual({});
  // The browser's back button leads to the other account, which the server has not agreed to yet.
  keepSearch(owner('mia', 'second'), '/activity', { outcome: '4xx', account: 'first' });
  expect(lastSearch(owner('mia', 'second'), '/activity')).toEqual({});
});
