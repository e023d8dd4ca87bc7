import { expect, test } from 'vitest';
import type { AccountView } from '../../src/portal/wire/account.ts';
import { noticeFor } from '../../web/src/pages/account/notice.ts';

const account: AccountView = {
  account_id: 'a1',
  name: 'Corner Shop',
  provider_id: 'p1',
  provider_name: 'North',
  status: 'active',
  suspended_by: null,
  provider_status: 'active',
  plan: null,
  plan_starts_at: null,
  plan_ends_at: null,
  access_ends_at: null,
  instance_limit: null,
  operator: false,
  free_slots: null,
  trial_used: 0,
  numbers: 0,
  live_keys: 0,
  created_at: '2026-01-01T00:00:00.000Z',
};

test.each<[string, Partial<AccountView>, string, string]>([
  [
    'an operator',
    { status: 'suspended', suspended_by: 'operator' },
    'by the person who runs this gateway',
    'Ask the person who runs this gateway.',
  ],
  ['its provider', { status: 'suspended', suspended_by: 'provider' }, 'by your provider, North', 'Ask your provider, North.'],
  ['an operator, with its provider', { provider_status: 'suspended' }, 'by the person who runs this gateway', 'Ask the person who runs'],
])('an account that was suspended by %s says so, and what still works', (_, state, by, ask) => {
  const notice = noticeFor({ ...account, ...state }, Date.UTC(2026, 0, 2));
  expect(notice).toMatchObject({ kind: 'ended', title: expect.stringContaining(by), text: expect.stringContaining(ask) });
  expect(notice?.text).toMatch(/You can still view your numbers, activity, usage, keys, members and audit log, and change your password/);
});
