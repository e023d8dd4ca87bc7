import type { AccountRow, InstanceRow, PlanRow, ProviderRow } from '../../src/store/index.ts';
import type { Random } from './random.ts';

export const dayMs = 24 * 60 * 60 * 1000;

const towns = ['Lisboa', 'Santos', 'Curitiba', 'Bogotá', 'Quito', 'Jakarta', 'Bandung', 'Leeds', 'Porto', 'Medan'] as const;
const trades = ['Bakery', 'Dental', 'Motors', 'Travel', 'Fashion', 'Pharmacy', 'Logistics', 'Bank', 'Books', 'Foods'] as const;
const desks = ['Support', 'Sales', 'Orders', 'Reminders', 'Night desk', 'Campaigns', 'Invoices', 'Front desk'] as const;

export function* providerRows(random: Random, count: number, now: number): Generator<ProviderRow> {
  for (let place = 0; place < count; place++) {
    const created_at = now - 700 * dayMs + place * 1000;
    const name = `${random.pick(towns)} Messaging ${place + 1}`;
    yield { id: random.id(created_at), name, status: 'active', number_capacity: null, default_plan_id: null, created_at };
  }
}

/** Accounts of the last two years. One in three has an end, one in thirty is suspended; half of them belong to the first provider. */
export function* accountRows(
  random: Random,
  count: number,
  { providers, plans }: { readonly providers: readonly ProviderRow[]; readonly plans: readonly PlanRow[] },
  now: number,
): Generator<AccountRow> {
  for (let place = 0; place < count; place++) {
    const created_at = now - Math.floor((1 - place / count) * 690 * dayMs);
    const suspended = random.chance(0.03);
    const plan = random.chance(0.95) ? (plans[random.below(plans.length)] ?? null) : null;
    const ends = () => (random.chance(0.33) ? now + Math.floor((random.next() - 0.3) * 120 * dayMs) : null);
    yield {
      id: random.id(created_at),
      name: `${random.pick(trades)} ${random.pick(towns)} ${place + 1}`,
      provider_id: (random.chance(0.5) ? providers[0] : providers[random.below(providers.length)])?.id ?? 'default',
      status: suspended ? 'suspended' : 'active',
      suspended_by: suspended ? 'operator' : null,
      plan_id: plan?.id ?? null,
      plan_starts_at: plan === null ? null : created_at,
      plan_ends_at: plan === null ? null : ends(),
      access_ends_at: ends(),
      instance_limit: null,
      operator: 0,
      free_slots: null,
      trial_used: plan?.trial_message_limit != null ? random.below(100) : 0,
      created_at,
    };
  }
}

/** Numbers of the accounts. One in ten was never linked, one in fifteen has lost its link; all others are linked. */
export function* numberRows(random: Random, count: number, accounts: readonly AccountRow[], now: number): Generator<InstanceRow> {
  for (let place = 0; place < count; place++) {
    // A few accounts have most of the numbers, as it is in practice.
    const account = accounts[Math.floor(random.next() ** 2 * accounts.length)];
    if (account === undefined) throw new Error('numbers need an account');
    const created_at = account.created_at + Math.floor(random.next() * (now - account.created_at));
    const never = random.chance(0.1);
    const lost = !never && random.chance(0.07);
    const restricted = !never && random.chance(0.04);
    yield {
      id: random.id(created_at),
      account_id: account.id,
      network: 'sandbox',
      label: random.chance(0.9) ? `${random.pick(desks)} ${random.below(100)}` : null,
      phone_number: never ? null : `55${String(1_000_000_000 + place)}`,
      linked: never || lost ? 0 : 1,
      conflict: 0,
      restriction_reason: restricted ? random.pick(['temporarily_banned', 'reach_out_blocked', 'new_chats_capped', 'replaced']) : null,
      restriction_until: null,
      new_chats_used: restricted ? 20 : null,
      new_chats_quota: restricted ? 50 : null,
      new_chats_cycle_ends_at: restricted ? now + 20 * dayMs : null,
      proxy: null,
      chat_budget: null,
      chat_budget_day: null,
      chat_budget_used: 0,
      linked_at: never ? null : created_at,
      state_event: never ? null : lost ? random.pick(['unlinked', 'banned', 'refused', 'disconnected']) : random.pick(['linked', 'back']),
      state_at: never ? null : created_at + Math.floor(random.next() * (now - created_at)),
      created_at,
    };
  }
}
