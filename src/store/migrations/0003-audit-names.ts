import { type Kysely, sql } from 'kysely';
import { nameStarts } from '../name-starts.ts';
import type { Dialect, SchemaChange } from '../store.ts';

/** The names of what the entries of the audit log are about, for the search. */
export function auditNames(dialect: Dialect): SchemaChange {
  return {
    additive: true,
    async up(db: Kysely<Tables>): Promise<void> {
      // A beginning is a range only in the order of the bytes.
      const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
      await sql`create table audit_names (
        audit_id bigint not null references audit_log (id) on delete cascade,
        name ${text} not null,
        primary key (audit_id, name)
      )`.execute(db);
      await sql`create index audit_names_name on audit_names (name, audit_id)`.execute(db);
      await addNames(db);
    },
  };
}

interface Tables {
  audit_log: { id: number; target_kind: string; target_id: string; action: string; details: string };
  audit_names: { audit_id: number; name: string };
}

const batch = 1000;
const named: Readonly<Record<string, readonly string[]>> = {
  account: ['name'],
  plan: ['name'],
  provider: ['name'],
  key: ['prefix', 'label'],
  number: ['label', 'phone_number'],
  user: ['email'],
  alert: ['address'],
};

/** An entry without a name in its own details has the one that its object had then. */
async function addNames(db: Kysely<Tables>): Promise<void> {
  const known = new Map<string, Map<string, string>>();
  for (let last = 0; ; ) {
    const entries = await db.selectFrom('audit_log').selectAll().where('id', '>', last).orderBy('id').limit(batch).execute();
    const rows = entries.flatMap(({ id, target_kind, target_id, action, details }) => {
      if (action === 'user.sign_in') return [];
      const changes = JSON.parse(details) as Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
      const present = known.get(target_id) ?? new Map<string, string>();
      const before = [...present.values()];
      for (const field of named[target_kind] ?? []) {
        const change = changes[field];
        if (change === undefined) continue;
        if (typeof change.from === 'string') before.push(change.from);
        if (typeof change.to === 'string') present.set(field, change.to);
      }
      known.set(target_id, present);
      return nameStarts([...before, ...present.values()]).map((name) => ({ audit_id: id, name }));
    });
    for (let at = 0; at < rows.length; at += batch)
      await db
        .insertInto('audit_names')
        .values(rows.slice(at, at + batch))
        .execute();
    const end = entries.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}
