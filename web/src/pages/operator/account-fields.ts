import type { AccountChange, AccountView } from '../../../../src/portal/wire/index.ts';
import { dayOf, endOf } from './days.ts';

/** An account's terms while they are edited. Days are the person's own, an empty text or null is none. */
export interface AccountFields {
  readonly name: string;
  readonly providerId: string;
  readonly planId: string | null;
  readonly planEndDay: string;
  readonly accessEndDay: string;
  readonly instanceLimit: number | null;
  readonly operator: boolean;
  readonly freeSlots: number | null;
}

/** The fields of an account as it is, or of a new one. */
export function fieldsOf(account: AccountView | null): AccountFields {
  return {
    name: account?.name ?? '',
    providerId: account?.provider_id ?? 'default',
    planId: account?.plan?.plan_id ?? null,
    planEndDay: dayOf(account?.plan_ends_at ?? null),
    accessEndDay: dayOf(account?.access_ends_at ?? null),
    instanceLimit: account?.instance_limit ?? null,
    operator: account?.operator ?? false,
    freeSlots: account?.free_slots ?? null,
  };
}

/** What is to be changed to get from the account to the fields; of a new one, everything that is set. */
export function changeOf(fields: AccountFields, account: AccountView | null): AccountChange {
  const before = fieldsOf(account);
  const differs = (field: keyof AccountFields) => fields[field] !== before[field];
  const planEnd = endOf(fields.planEndDay, account?.plan_ends_at ?? null);
  const another = differs('planId');
  return {
    ...(differs('name') ? { name: fields.name.trim() } : {}),
    ...(differs('providerId') ? { provider_id: fields.providerId } : {}),
    ...(another ? { plan: fields.planId } : {}),
    // Another plan begins without an end, so the end is said again with it.
    ...(fields.planId !== null && (differs('planEndDay') || (another && planEnd !== null)) ? { plan_ends_at: planEnd } : {}),
    ...(differs('accessEndDay') ? { access_ends_at: endOf(fields.accessEndDay, account?.access_ends_at ?? null) } : {}),
    ...(differs('instanceLimit') ? { instance_limit: fields.instanceLimit } : {}),
    ...(differs('operator') ? { operator: fields.operator } : {}),
    ...(fields.operator && (differs('operator') || differs('freeSlots')) ? { free_slots: fields.freeSlots } : {}),
  };
}
