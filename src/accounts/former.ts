import { type Act, recordAudit } from '../audit/index.ts';
import { OperatorError } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { type FormerRow, selectFormer } from './queries/former.ts';

/**
 * What an account still has from its former provider's people: keys, alert targets that they made or changed, and the note about it; newest first. Its
 * owners and its new provider decide whether to keep or to end each. It is known for as long as the audit log has who made what.
 */
export function formerOf(store: Store, accountId: string): Promise<FormerRow[]> {
  return selectFormer(store.db, accountId);
}

const actions = { key: 'key.keep', alert: 'alert.keep', note: 'account.note_keep' } as const;

/** Notes that one of these stays. Throws OperatorError when it is none of them. */
export async function keepFormer(store: Store, accountId: string, { kind, id }: Pick<FormerRow, 'kind' | 'id'>, act: Act): Promise<void> {
  await store.transaction(async (trx) => {
    const found = (await selectFormer(trx, accountId)).find((one) => one.kind === kind && one.id === id);
    if (found === undefined) throw new OperatorError('it is not from a former provider, or was decided on already');
    await recordAudit(trx, act, { action: actions[kind], targetId: id, accountId, details: {} });
  });
}
