import { type Act, recordAudit } from '../audit/index.ts';
import { OperatorError } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { type FormerRow, selectFormer } from './queries/former.ts';

const actions = { key: 'key.keep', alert: 'alert.keep', note: 'account.note_keep' } as const;

/** Notes that one of these stays. Throws OperatorError when it is none of them. */
export async function keepFormer(store: Store, accountId: string, { kind, id }: Pick<FormerRow, 'kind' | 'id'>, act: Act): Promise<void> {
  await store.transaction(async (trx) => {
    const found = (await selectFormer(trx, accountId)).find((one) => one.kind === kind && one.id === id);
    if (found === undefined) throw new OperatorError('it is not from a former provider, or was decided on already');
    await recordAudit(trx, act, { action: actions[kind], targetId: id, accountId, details: {} });
  });
}
