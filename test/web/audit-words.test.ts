import { expect, test } from 'vitest';
import type { AuditEntry } from '../../src/portal/wire/operator.ts';
import { filled } from '../../web/src/language/filled.ts';
import { shownQuietHours } from '../../web/src/parts/alerts/words.ts';
import { shownChanges } from '../../web/src/parts/audit/changes.ts';
import { sentenceOf } from '../../web/src/parts/audit/sentence.ts';

function entry(over: Partial<AuditEntry>): AuditEntry {
  return {
    audit_id: '1',
    at: '2026-11-21T12:00:00.000Z',
    actor_kind: 'user',
    actor_id: null,
    actor_name: 'olga@example.com',
    action: 'account.update',
    target_kind: 'account',
    target_id: '01a1ffb6-825e-7532-ad14-36fa033014d1',
    target_name: 'Bakery',
    account_id: null,
    account_name: null,
    details: {},
    ...over,
  };
}

/** The whole entry on one line. */
function told(over: Partial<AuditEntry>, names: Readonly<Record<string, string>> = {}): string {
  const changed = entry(over);
  const { text, who, target } = sentenceOf(changed);
  const changes = shownChanges(changed, target, names).map(({ field, from, to }) => `${field}: ${[from, to].filter(Boolean).join(' → ')}`);
  return [filled(text, { who, target: target ?? '' }).join(''), ...changes].join(' | ');
}

test.each([
  [
    { details: { plan: { from: 'trial', to: 'starter' }, instance_limit: { from: null, to: 5 } } },
    'Plan: trial → starter | Maximum numbers: none → 5',
  ],
  [{ details: { provider_id: { from: 'p1', to: 'p2' } } }, 'Provider: North → p2'],
  [{ details: { email: { from: 'a@example.com', to: 'b@example.com' } } }, 'E-mail address: a@example.com → b@example.com'],
])('a change tells what each field was and became: $1', (over, changes) => {
  expect(told(over, { p1: 'North' })).toBe(`olga@example.com changed the account Bakery | ${changes}`);
});

test('quiet hours are written as on the page of their target', () => {
  const hours = shownQuietHours({ quiet_from: '22:00', quiet_to: '07:00', time_zone: 'Europe/Berlin' });
  expect(told({ details: { quiet_hours: { from: null, to: '22:00-07:00 Europe/Berlin' } } })).toBe(
    `olga@example.com changed the account Bakery | Quiet hours: none → ${hours}`,
  );
});

test('a new thing tells what it has, once and without what every one has', () => {
  const details = {
    name: { from: null, to: 'Bakery' },
    status: { from: null, to: 'active' },
    operator: { from: null, to: false },
    plan: { from: null, to: 'trial' },
  };
  expect(told({ action: 'account.create', details })).toBe('olga@example.com created the account Bakery | Plan: trial');
});

test('what is gone is told by what it was', () => {
  const details = { label: { from: 'Shop', to: null }, phone_number: { from: '491511', to: null } };
  expect(told({ action: 'number.delete', target_kind: 'number', target_name: null, details })).toBe(
    'olga@example.com deleted the number Shop | Number: +491511',
  );
});

test('people join by themselves, and are invited by others', () => {
  const role = { role: { from: null, to: 'owner' } };
  const user = { target_kind: 'user', target_name: null } as const;
  expect(told({ ...user, action: 'user.invite', details: { email: { from: null, to: 'mia@example.com' }, ...role } })).toBe(
    'olga@example.com invited mia@example.com | Role: Owner',
  );
  expect(told({ ...user, action: 'user.join', target_name: 'olga@example.com', details: role })).toBe(
    'olga@example.com accepted an invitation | Role: Owner',
  );
});

test('keys, commands and the gateway itself are named, and what is not known is told as it is', () => {
  const plain = { target_name: 'x', details: {} };
  expect(told({ ...plain, actor_kind: 'key', actor_name: 'mgw_12345678', action: 'number.rename' })).toBe(
    'API key mgw_12345678 renamed the number x',
  );
  expect(told({ ...plain, actor_kind: 'command_line', actor_name: null, action: 'plan.update' })).toBe('Command line changed the plan x');
  expect(told({ ...plain, actor_kind: 'system', actor_name: null, action: 'moon.land' })).toBe('The gateway moon.land: x');
  expect(told({ target_name: null })).toBe('olga@example.com changed the account 01a1ffb6');
});

test('a sign-in tells by what and from where, and a failed one how often', () => {
  const details = { factor: { from: null, to: 'totp' }, address: { from: null, to: '203.0.113.7' } };
  const person = { target_kind: 'user', target_name: 'olga@example.com', details };
  expect(told({ ...person, action: 'user.sign_in' })).toBe('olga@example.com signed in | With: a code from the app | From: 203.0.113.7');
  const failed = { ...person, actor_kind: 'system', actor_name: null, action: 'user.sign_in_failed' } as const;
  expect(told({ ...failed, details: { ...details, attempts: { from: null, to: 3 } } })).toBe(
    'The gateway refused a sign-in as olga@example.com | With: a code from the app | From: 203.0.113.7 | Attempts: 3',
  );
});

test('what an alert target is told of is told in words', () => {
  const details = {
    conditions: { from: 'number_needs_person', to: 'number_needs_person, access_ending, moon_landing' },
    events: { from: null, to: 'message.delivered, message.lost' },
  };
  expect(told({ action: 'alert.update', target_kind: 'alert_target', target_name: 'https://example.com', details })).toContain(
    'Conditions: A number needs a person → A number needs a person; a plan or access is ending; moon_landing' +
      ' | Message events: none → A message is delivered; a message is lost',
  );
});
