import type { Insertable } from 'kysely';
import type { AccountRow, AuditRow, Database, InstanceRow, MembershipRow, NewAuditRow, ProviderRow, Store } from '../../src/store/index.ts';
import { dayMs } from './accounts.ts';
import type { Random } from './random.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly createdAt: number;
}

export function* people(random: Random, count: number, now: number): Generator<Person> {
  for (let place = 0; place < count; place++) {
    const createdAt = now - Math.floor((1 - place / count) * 600 * dayMs);
    yield { id: random.id(createdAt), email: `person${place + 1}@example.com`, createdAt };
  }
}

/** As better-auth stores them: nobody has a password, so nobody can sign in. */
export function* userRows(store: Store, all: readonly Person[]): Generator<Insertable<Database['users']>> {
  const isSqlite = store.dialect === 'sqlite';
  for (const { id, email, createdAt } of all) {
    const at = isSqlite ? new Date(createdAt).toISOString() : new Date(createdAt);
    const row = {
      id,
      name: `Person ${email.slice(6, email.indexOf('@'))}`,
      email,
      email_verified: isSqlite ? 1 : true,
      two_factor_enabled: isSqlite ? 0 : false,
      created_at: at,
      // Only better-auth reads this column, so the schema's types do not have it.
      updated_at: at,
    };
    yield row;
  }
}

/** The first ten administer the first provider; of the others each has a role at an account. */
export function* membershipRows(
  random: Random,
  all: readonly Person[],
  { accounts, providers }: { accounts: readonly AccountRow[]; providers: readonly ProviderRow[] },
): Generator<MembershipRow> {
  for (const [place, { id, createdAt }] of all.entries()) {
    const row = { id: random.id(createdAt), user_id: id, created_at: createdAt };
    if (place < 10) yield { ...row, role: 'provider_admin', provider_id: providers[0]?.id ?? 'default', account_id: null };
    else {
      const account = accounts[place % accounts.length];
      if (account === undefined) throw new Error('people need an account');
      yield { ...row, role: random.chance(0.4) ? 'owner' : 'member', provider_id: null, account_id: account.id };
    }
  }
}

/** Invitations to accounts, which can be used by nobody: their tokens are unknown. */
export function* invitationRows(
  random: Random,
  count: number,
  accounts: readonly AccountRow[],
  now: number,
): Generator<Insertable<Database['one_time_links']>> {
  const common = { purpose: 'invitation', provider_id: null, maker_id: null, shown: 0, used_at: null } as const;
  for (let place = 0; place < count; place++) {
    const created_at = now - Math.floor(random.next() * 6 * dayMs);
    const id = random.id(created_at);
    yield {
      ...common,
      id,
      token_hash: id,
      email: `guest${place + 1}@example.com`,
      role: random.chance(0.4) ? 'owner' : 'member',
      account_id: accounts[place % accounts.length]?.id ?? null,
      created_at,
      expires_at: created_at + 7 * dayMs,
    };
  }
}

export function* keyRows(
  random: Random,
  count: number,
  accounts: readonly AccountRow[],
  now: number,
): Generator<Insertable<Database['api_keys']>> {
  for (let place = 0; place < count; place++) {
    const account = accounts[random.below(accounts.length)];
    if (account === undefined) throw new Error('keys need an account');
    const created_at = account.created_at + Math.floor(random.next() * (now - account.created_at));
    yield {
      id: random.id(created_at),
      account_id: account.id,
      prefix: `mgw_${random.hex(8)}`,
      label: random.chance(0.8) ? `Key ${random.below(20)}` : null,
      // Of no key that there is.
      hash: random.hex(44),
      created_at,
      last_used_at: random.chance(0.7) ? now - random.below(30 * dayMs) : null,
      revoked_at: random.chance(0.3) ? now - random.below(30 * dayMs) : null,
      expires_at: null,
    };
  }
}

const actions = ['account.update', 'account.suspend', 'account.resume', 'key.create', 'key.revoke', 'number.link', 'user.sign_in'] as const;

/** Changes of the last 400 days, oldest first. */
export function* auditRows(
  random: Random,
  count: number,
  of: { people: readonly Person[]; accounts: readonly AccountRow[]; numbers: readonly InstanceRow[] },
  now: number,
): Generator<NewAuditRow> {
  for (let place = 0; place < count; place++) {
    const person = of.people[random.below(of.people.length)];
    const account = of.accounts[random.below(of.accounts.length)];
    const number = of.numbers[random.below(of.numbers.length)];
    if (person === undefined || account === undefined || number === undefined) throw new Error('changes need somebody and something');
    const action = random.pick(actions);
    const [kind] = action.split('.');
    const targets: Record<string, string> = { account: account.id, number: number.id, user: person.id };
    yield {
      at: now - Math.floor((1 - place / count) * 400 * dayMs),
      actor_kind: 'user',
      actor_id: person.id,
      actor_name: person.email,
      action,
      target_kind: kind as AuditRow['target_kind'],
      target_id: targets[kind ?? ''] ?? random.id(now),
      account_id: kind === 'user' ? null : account.id,
      provider_id: kind === 'user' ? null : account.provider_id,
      details: '{}',
    };
  }
}
