import type { AccountChange, AccountDetail } from '../../../../src/portal/wire/operator.ts';
import { dayOf, endOf } from './days.ts';

/** An account's terms while they are edited, named as in the request. Ends are days of the person; an empty text or null is none. */
export interface AccountFields {
  readonly name: string;
  readonly provider_id: string;
  /** Of the plan, its id. */
  readonly plan: string | null;
  readonly plan_ends_at: string;
  readonly access_ends_at: string;
  readonly instance_limit: number | null;
  readonly operator: boolean;
  readonly free_slots: number | null;
  readonly reference: string;
  /** Of a new account only. */
  readonly owner_email: string;
}

export function fieldsOf(account: AccountDetail | null): AccountFields {
  return {
    name: account?.name ?? '',
    provider_id: account?.provider_id ?? 'default',
    plan: account?.plan?.plan_id ?? null,
    plan_ends_at: dayOf(account?.plan_ends_at ?? null),
    access_ends_at: dayOf(account?.access_ends_at ?? null),
    instance_limit: account?.instance_limit ?? null,
    operator: account?.operator ?? false,
    free_slots: account?.free_slots ?? null,
    reference: account?.reference ?? '',
    owner_email: '',
  };
}

/** The changed fields of an account; for a new account all fields that are set. */
export function changeOf(fields: AccountFields, account: AccountDetail | null): AccountChange {
  const before = fieldsOf(account);
  const differs = (field: keyof AccountFields) => fields[field] !== before[field];
  const planEnd = endOf(fields.plan_ends_at, account?.plan_ends_at ?? null);
  const another = differs('plan');
  return {
    ...(differs('name') ? { name: fields.name.trim() } : {}),
    ...(differs('provider_id') ? { provider_id: fields.provider_id } : {}),
    ...(another ? { plan: fields.plan } : {}),
    // The server starts another plan without an end, so the end is sent again with it.
    ...(fields.plan !== null && (differs('plan_ends_at') || (another && planEnd !== null)) ? { plan_ends_at: planEnd } : {}),
    ...(differs('access_ends_at') ? { access_ends_at: endOf(fields.access_ends_at, account?.access_ends_at ?? null) } : {}),
    ...(differs('instance_limit') ? { instance_limit: fields.instance_limit } : {}),
    ...(differs('operator') ? { operator: fields.operator } : {}),
    ...(differs('reference') ? { reference: fields.reference.trim() === '' ? null : fields.reference.trim() } : {}),
    ...(account === null && fields.owner_email.trim() !== '' ? { owner_email: fields.owner_email.trim() } : {}),
    ...(fields.operator && (differs('operator') || differs('free_slots')) ? { free_slots: fields.free_slots } : {}),
  };
}

/**
 * The change that takes another one back. The plan before begins anew, because another plan begins when it is given. null: none does, because an
 * account that moves to another provider loses its reference and the invitations of its former provider's admins.
 */
export function changeBack(change: AccountChange, account: AccountDetail): AccountChange | null {
  const { name, plan, plan_ends_at, access_ends_at, instance_limit, operator, free_slots, reference } = account;
  const has = (field: keyof AccountChange) => change[field] !== undefined;
  if (has('provider_id')) return null;
  const ofPlan = has('plan') ? { plan: plan?.plan_id ?? null, ...(plan === null ? {} : { plan_ends_at }) } : {};
  return {
    ...(has('name') ? { name } : {}),
    ...(has('plan_ends_at') && !has('plan') ? { plan_ends_at } : ofPlan),
    ...(has('access_ends_at') ? { access_ends_at } : {}),
    ...(has('instance_limit') ? { instance_limit } : {}),
    ...(has('operator') ? { operator } : {}),
    ...((has('operator') || has('free_slots')) && operator ? { free_slots } : {}),
    ...(has('reference') ? { reference } : {}),
  };
}
