import { expect, test } from 'vitest';
import { admitted } from '../../src/accounts/index.ts';
import { GatewayError } from '../../src/core/index.ts';
import type { Admission } from '../../src/store/index.ts';

const now = Date.UTC(2026, 5, 1);

const good: Admission = {
  keyId: 'k',
  accountId: 'a',
  accountStatus: 'active',
  providerStatus: 'active',
  accessEndsAt: null,
  planId: 'p',
  planEndsAt: null,
  messagesPerMinute: 60,
  trialMessageLimit: null,
};

function codeOf(admission: Admission | null, planRequired = true): string | null {
  try {
    admitted(admission, now, { planRequired });
    return null;
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

test('a usable account is admitted and its admission given back', () => {
  expect(admitted(good, now, { planRequired: true })).toBe(good);
});

test.each<[string, Admission | null, string | null]>([
  ['no key', null, 'invalid_api_key'],
  ['suspended account', { ...good, accountStatus: 'suspended' }, 'account_suspended'],
  ['suspended provider', { ...good, providerStatus: 'suspended' }, 'account_suspended'],
  ['access over at this moment', { ...good, accessEndsAt: now }, 'access_expired'],
  ['access ending a moment later', { ...good, accessEndsAt: now + 1 }, null],
  ['no plan', { ...good, planId: null }, 'no_active_subscription'],
  ['plan over at this moment', { ...good, planEndsAt: now }, 'subscription_expired'],
  ['plan ending a moment later', { ...good, planEndsAt: now + 1 }, null],
])('%s', (_what, admission, code) => {
  expect(codeOf(admission)).toBe(code);
});

test('the first failure in the contract order is the one that is told [access.order]', () => {
  const expired = { ...good, accessEndsAt: now, planEndsAt: now };
  expect(codeOf({ ...expired, accountStatus: 'suspended' })).toBe('account_suspended');
  expect(codeOf(expired)).toBe('access_expired');
});

test('without the need of a plan everything else still counts [access.no-plan]', () => {
  expect(codeOf({ ...good, planId: null }, false)).toBe(null);
  expect(codeOf({ ...good, planEndsAt: now }, false)).toBe(null);
  expect(codeOf({ ...good, accessEndsAt: now }, false)).toBe('access_expired');
  expect(codeOf(null, false)).toBe('invalid_api_key');
});
