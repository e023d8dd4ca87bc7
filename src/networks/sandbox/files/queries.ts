import type { Db } from '../../../store/index.ts';
import type { SandboxFile } from '../../index.ts';

export interface FileKey {
  readonly accountId: string;
  /** Hex. */
  readonly sha256: string;
}

/** How and when (epoch milliseconds) a file was delivered. */
export interface Receipt {
  readonly mimeType: string;
  readonly receivedAt: number;
}

/** A file with its bytes, if it was received after `after` (epoch milliseconds); else null. */
export async function findFile(db: Db, { accountId, sha256 }: FileKey, after: number): Promise<SandboxFile | null> {
  const row = await db
    .selectFrom('sandbox_files')
    .select(['mime_type as mimeType', 'bytes'])
    .where('account_id', '=', accountId)
    .where('sha256', '=', sha256)
    .where('received_at', '>', after)
    .executeTakeFirst();
  return row ?? null;
}

/** Which of these files were received after `after` (epoch milliseconds). */
export async function findFileNames(db: Db, accountId: string, sha256s: ReadonlySet<string>, after: number): Promise<Set<string>> {
  if (sha256s.size === 0) return new Set();
  const rows = await db
    .selectFrom('sandbox_files')
    .select('sha256')
    .where('account_id', '=', accountId)
    .where('sha256', 'in', [...sha256s])
    .where('received_at', '>', after)
    .execute();
  return new Set(rows.map(({ sha256 }) => sha256));
}

/** The last recorded receipt of a file; null when the file is not stored. */
export async function findReceipt(db: Db, { accountId, sha256 }: FileKey): Promise<Receipt | null> {
  const row = await db
    .selectFrom('sandbox_files')
    .select(['mime_type as mimeType', 'received_at as receivedAt'])
    .where('account_id', '=', accountId)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row ?? null;
}

/** Records another receipt of a file; false when the file is not stored. */
export async function noteReceipt(db: Db, { accountId, sha256 }: FileKey, receipt: Receipt): Promise<boolean> {
  const result = await db
    .updateTable('sandbox_files')
    .set({ mime_type: receipt.mimeType, received_at: receipt.receivedAt })
    .where('account_id', '=', accountId)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Stores a file. If it is already stored, only its receipt is updated. */
export async function insertFile(db: Db, { accountId, sha256 }: FileKey, file: Receipt & { bytes: Buffer }): Promise<void> {
  await db
    .insertInto('sandbox_files')
    .values({
      account_id: accountId,
      sha256,
      mime_type: file.mimeType,
      size: file.bytes.length,
      received_at: file.receivedAt,
      bytes: file.bytes,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'sha256']).doUpdateSet(({ ref }) => ({
        mime_type: ref('excluded.mime_type'),
        received_at: ref('excluded.received_at'),
      })),
    )
    .execute();
}

/** Deletes an account's oldest files until the others take at most `bytes`. */
export async function deleteSurplus(db: Db, accountId: string, bytes: number): Promise<void> {
  const filled = db
    .selectFrom('sandbox_files')
    .where('account_id', '=', accountId)
    .select(({ fn }) => [
      'sha256',
      fn
        .sum<number>('size')
        .over((window) => window.orderBy('received_at', 'desc').orderBy('sha256'))
        .as('upToHere'),
    ]);
  await db
    .deleteFrom('sandbox_files')
    .where('account_id', '=', accountId)
    .where('sha256', 'in', (eb) => eb.selectFrom(filled.as('filled')).select('sha256').where('upToHere', '>', bytes))
    .execute();
}

/** Deletes at most `limit` files received up to `until` (epoch milliseconds), of one account or of all, and returns how many. */
export async function deleteFiles(db: Db, of: { accountId?: string; until: number }, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('sandbox_files')
    .where(({ eb, refTuple, selectFrom }) => {
      const old = selectFrom('sandbox_files').select(['account_id', 'sha256']).where('received_at', '<=', of.until).limit(limit);
      const { accountId } = of;
      const found = accountId === undefined ? old : old.where('account_id', '=', accountId);
      return eb(refTuple('account_id', 'sha256'), 'in', found.$asTuple('account_id', 'sha256'));
    })
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
