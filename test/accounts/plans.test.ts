import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPlan, listPlans, updatePlan } from '../../src/accounts/index.ts';
import { newId, OperatorError } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';

const now = Date.UTC(2026, 5, 1);
const day = 24 * 60 * 60 * 1000;

describe.each(storeKinds)('plans on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  beforeEach(async () => {
    store = await openTestStore(kind);
  });
  afterEach(() => store.dispose());

  test('the built-in ones are there, from small to large [plan.built-in]', async () => {
    const plans = (await listPlans(store)).map((plan) => [
      plan.name,
      plan.messages_per_minute,
      plan.instance_limit,
      plan.trial_message_limit,
    ]);
    expect(plans).toEqual([
      ['trial', 30, 1, 100],
      ['starter', 60, 3, null],
      ['business', 300, 25, null],
      ['scale', 1200, 200, null],
    ]);
  });

  test('are created and changed [plan.fields]', async () => {
    const plan = await createPlan(
      store,
      { name: 'pro', messagesPerMinute: 600, instanceLimit: 50, trialMessages: 5 },
      at(now + 10 * 365 * day),
    );
    expect((await listPlans(store)).at(-1)).toEqual(plan);
    expect(await updatePlan(store, 'pro', { trialMessages: null }, at(now))).toEqual({ ...plan, trial_message_limit: null });
    expect(await updatePlan(store, plan.id.toUpperCase(), { name: 'max', instanceLimit: 0, messagesPerMinute: 1 }, at(now))).toEqual({
      ...plan,
      name: 'max',
      trial_message_limit: null,
      instance_limit: 0,
      messages_per_minute: 1,
    });
  });

  test('names are unique, also when two are made at once', async () => {
    const twice = await Promise.allSettled(
      [1, 2].map(() => createPlan(store, { name: 'pro', messagesPerMinute: 1, instanceLimit: 1 }, at(now))),
    );
    expect(twice.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(createPlan(store, { name: 'trial', messagesPerMinute: 1, instanceLimit: 1 }, at(now))).rejects.toThrow(
      new OperatorError('there is already a plan "trial"', { field: 'name' }),
    );
    await expect(updatePlan(store, 'pro', { name: 'trial' }, at(now))).rejects.toThrow(
      new OperatorError('there is already a plan "trial"', { field: 'name' }),
    );
    expect(await updatePlan(store, 'pro', { name: 'pro' }, at(now))).toMatchObject({ name: 'pro' });
  });

  test('bad values and unknown plans change nothing [plan.fields]', async () => {
    const before = await listPlans(store);
    for (const bad of [
      { messagesPerMinute: 0 },
      { instanceLimit: -1 },
      { trialMessages: 0 },
      { messagesPerMinute: 1.5 },
      { name: 'none' },
      { name: newId() },
    ]) {
      await expect(updatePlan(store, 'trial', bad, at(now))).rejects.toThrow(OperatorError);
      await expect(createPlan(store, { name: 'x', messagesPerMinute: 1, instanceLimit: 1, ...bad }, at(now))).rejects.toThrow(
        OperatorError,
      );
    }
    await expect(updatePlan(store, 'nope', { instanceLimit: 1 }, at(now))).rejects.toThrow(new OperatorError('there is no plan "nope"'));
    expect(await listPlans(store)).toEqual(before);
  });
});
