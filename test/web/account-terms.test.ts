import { describe, expect, test } from 'vitest';
import type { PlanView } from '../../src/portal/wire/account.ts';
import type { AlertTargetView } from '../../src/portal/wire/alerts.ts';
import type { AccountDetail } from '../../src/portal/wire/operator.ts';
import { changeBack, changeOf, fieldsOf } from '../../web/src/pages/operator/account-fields.ts';
import { dayOf, endInWords, endOf } from '../../web/src/pages/operator/days.ts';
import { planBack, planFields } from '../../web/src/pages/operator/plan-fields.ts';
import { planOption } from '../../web/src/pages/operator/plan-option.ts';
import { targetBack, targetChange } from '../../web/src/parts/alerts/target-change.ts';
import { changedFields, fieldsBefore } from '../../web/src/parts/changed-fields.ts';
import { takenOver } from '../../web/src/parts/taken-over.ts';

const plan = (name: string): PlanView => ({
  plan_id: `id of ${name}`,
  name,
  messages_per_minute: 60,
  instance_limit: 3,
  trial_message_limit: null,
  created_at: '2026-01-01T00:00:00.000Z',
});

const account: AccountDetail = {
  reference: null,
  members: [],
  account_id: 'a1',
  name: 'Corner Shop',
  provider_id: 'default',
  provider_name: 'default',
  status: 'active',
  suspended_by: null,
  provider_status: 'active',
  plan: plan('starter'),
  plan_starts_at: '2026-01-01T00:00:00.000Z',
  plan_ends_at: '2027-01-30T18:30:00.000Z',
  access_ends_at: null,
  instance_limit: 7,
  operator: false,
  free_slots: null,
  trial_used: 0,
  numbers: 0,
  live_keys: 0,
  created_at: '2026-01-01T00:00:00.000Z',
};

describe('an end that is chosen as a day', () => {
  test('is the first moment of that day where the person is', () => {
    expect(endOf('2027-01-31', null)).toBe(new Date(2027, 0, 31).toISOString());
    expect(endOf('', '2027-01-30T18:30:00.000Z')).toBeNull();
  });

  test('keeps its time of day until another day is chosen', () => {
    const before = new Date(2027, 0, 30, 18, 30).toISOString();
    expect(dayOf(before)).toBe('2027-01-30');
    expect(endOf('2027-01-30', before)).toBe(before);
    expect(endOf('2027-01-31', before)).toBe(new Date(2027, 0, 31).toISOString());
  });

  test('is told by its last day, or by its time where it has one', () => {
    const day = (number: number) => new Date(2027, 0, number).toLocaleDateString(undefined, { dateStyle: 'medium' });
    const midnight = endInWords(new Date(2027, 0, 31).toISOString());
    expect(midnight).toContain(`Last day: ${day(30)}`);
    expect(midnight).toContain(`ends when ${day(31)} begins`);
    expect(endInWords(new Date(2027, 0, 30, 18, 30).toISOString())).toContain(`Ends on ${day(30)} at `);
  });
});

describe('what is asked for when an account is edited', () => {
  const edited = (fields: Partial<ReturnType<typeof fieldsOf>>) => changeOf({ ...fieldsOf(account), ...fields }, account);

  test('is nothing where nothing was touched', () => expect(edited({})).toEqual({}));

  test('is each field that was', () => {
    expect(edited({ name: ' New name ', instance_limit: null })).toEqual({ name: 'New name', instance_limit: null });
    expect(edited({ plan_ends_at: '' })).toEqual({ plan_ends_at: null });
    expect(edited({ access_ends_at: '2028-03-01' })).toEqual({ access_ends_at: new Date(2028, 2, 1).toISOString() });
  });

  test('holds the end on with another plan, which would begin without one', () => {
    expect(edited({ plan: 'id of business' })).toEqual({ plan: 'id of business', plan_ends_at: account.plan_ends_at });
    expect(edited({ plan: 'id of business', plan_ends_at: '' })).toEqual({ plan: 'id of business', plan_ends_at: null });
    expect(edited({ plan: null, plan_ends_at: '' })).toEqual({ plan: null });
  });

  test("gives free slots to an operator's own account alone", () => {
    expect(edited({ operator: true, free_slots: 5 })).toEqual({ operator: true, free_slots: 5 });
    expect(edited({ operator: false, free_slots: 5 })).toEqual({});
  });

  test('is all that was filled in for a new account', () => {
    const fields = { ...fieldsOf(null), name: 'New', plan: 'id of starter' };
    expect(changeOf(fields, null)).toEqual({ name: 'New', plan: 'id of starter' });
  });
});

describe('what takes a change of an account back', () => {
  const back = (change: Parameters<typeof changeBack>[0], of = account) => changeBack(change, of);

  test('is what each changed field was, and nothing else', () => {
    expect(back({})).toEqual({});
    expect(back({ name: 'New', instance_limit: null, access_ends_at: '2028-03-01T00:00:00.000Z', reference: 'C-1' })).toEqual({
      name: 'Corner Shop',
      instance_limit: 7,
      access_ends_at: null,
      reference: null,
    });
  });

  test('gives the plan with its end, or the end alone', () => {
    expect(back({ plan: null })).toEqual({ plan: 'id of starter', plan_ends_at: account.plan_ends_at });
    expect(back({ plan: 'id of business', plan_ends_at: null })).toEqual({ plan: 'id of starter', plan_ends_at: account.plan_ends_at });
    expect(back({ plan_ends_at: null })).toEqual({ plan_ends_at: account.plan_ends_at });
    expect(back({ plan: 'id of business' }, { ...account, plan: null, plan_ends_at: null })).toEqual({ plan: null });
  });

  test('is nothing for an account that moved: its reference and what its former provider invited people to are gone', () =>
    expect(back({ provider_id: 'other', name: 'New' })).toBeNull());

  test("gives free slots to what was an operator's own account", () => {
    expect(back({ operator: true, free_slots: 5 })).toEqual({ operator: false });
    expect(back({ operator: false }, { ...account, operator: true, free_slots: 3 })).toEqual({ operator: true, free_slots: 3 });
    expect(back({ free_slots: 9 }, { ...account, operator: true, free_slots: 3 })).toEqual({ free_slots: 3 });
  });
});

describe('a form with fields of its own', () => {
  const before: { name: string; colour: string | null; limit: number } = { name: 'North', colour: null, limit: 3 };

  test('sends those that were changed, and takes back those that were sent', () => {
    expect(changedFields({ name: 'North', colour: '#0a7b83', limit: 3 }, before)).toEqual({ colour: '#0a7b83' });
    expect(fieldsBefore({ colour: '#0a7b83' }, before)).toEqual({ colour: null });
  });

  test('shows a text that is stored meanwhile, except where something else was written', () => {
    expect(takenOver('', '', 'North')).toBe('North');
    expect(takenOver('North ', 'North', '')).toBe('');
    expect(takenOver('Northern', 'North', 'South')).toBe('Northern');
    expect(takenOver('North ', 'North', 'North')).toBe('North ');
  });
});

test('a plan to choose says what it allows, each in the singular where it is one', () => {
  expect(planOption(plan('starter')).label).toBe('starter – 60 messages per minute, 3 numbers');
  const least = { ...plan('least'), messages_per_minute: 1, instance_limit: 1, trial_message_limit: 1 };
  expect(planOption(least).label).toBe('least – 1 message per minute, 1 number, 1 message in total');
});

describe('what takes a change of a plan back', () => {
  const starter = { ...plan('starter'), is_default: true };
  const business = { ...plan('business'), is_default: false };
  const back = (fields: Partial<ReturnType<typeof planFields>>, plans = [starter, business]) =>
    planBack(changedFields({ ...planFields(business), ...fields }, planFields(business)), business, plans);

  test('is what each changed field was', () => {
    expect(back({ name: 'Shops', instance_limit: 9 })).toEqual({ name: 'business', instance_limit: 3 });
  });

  test('is nothing where it became the default in place of another plan, which would not be it again', () => {
    expect(back({ is_default: true, name: 'Shops' })).toBeNull();
    expect(back({ is_default: true }, [business])).toEqual({ is_default: false });
  });
});

describe('what is sent of an edited alert target', () => {
  const target: AlertTargetView = {
    target_id: 't1',
    kind: 'mail',
    address: 'ops@example.com',
    account_id: 'a1',
    provider_id: null,
    conditions: ['number_needs_person'],
    events: [],
    quiet_from: '22:00',
    quiet_to: '07:00',
    time_zone: 'UTC',
    previous_secret_until: null,
    created_at: '2026-01-01T00:00:00.000Z',
    confirm_by: null,
    last_delivery: null,
  };
  const { address, conditions, events, quiet_from, quiet_to, time_zone } = target;
  const settings = { address, conditions, events, quiet_from, quiet_to, time_zone };

  test('is what was changed, the quiet hours all together', () => {
    expect(targetChange({ ...settings, conditions: [...conditions] }, target)).toEqual({});
    expect(targetChange({ ...settings, quiet_to: '08:00' }, target)).toEqual({ quiet_from, quiet_to: '08:00', time_zone });
  });

  test('is taken back alone, and an address for mails not at all', () => {
    expect(targetBack({ conditions: ['trial_nearly_used'] }, target)).toEqual({ conditions });
    expect(targetBack({ address: 'new@example.com' }, target)).toBeNull();
    expect(targetBack({ address: 'https://example.com' }, { ...target, kind: 'webhook' })).toEqual({ address });
  });
});
