import { type Act, recordAudit } from '../audit/index.ts';
import { OperatorError } from '../core/index.ts';
import { existingAccount, type Store, selectProviderOf } from '../store/index.ts';
import { selectNote, upsertNote } from './queries/accounts.ts';

/** What those who administer an account note about it. */
export interface AccountNote {
  /** Empty: nothing. */
  readonly text: string;
  readonly writtenAt: number;
  /** The e-mail address of who wrote it last; null: the command line. */
  readonly writtenBy: string | null;
}

const longestNote = 4000;

/** The note about an account; null when nobody ever wrote one. Throws OperatorError for an unknown account. */
export async function noteOf(store: Store, accountId: string): Promise<AccountNote | null> {
  const row = await selectNote(store.db, await existingAccount(store.db, accountId));
  return row === undefined ? null : { text: row.text, writtenAt: row.written_at, writtenBy: row.written_by };
}

/** Replaces the note; an empty text removes it. Its text never stands in the audit log. Throws OperatorError for an unknown account or a bad text. */
export async function writeNote(store: Store, accountId: string, text: string, act: Act): Promise<AccountNote> {
  const note = checkNote(text);
  const writtenBy = act.actor.kind === 'user' ? act.actor.name : null;
  await store.transaction(async (trx) => {
    const id = await existingAccount(trx, accountId);
    const providerId = (await selectProviderOf(trx, id)) ?? undefined;
    const before = await selectNote(trx, id);
    if ((before?.text ?? '') === note) return;
    await upsertNote(trx, { account_id: id, text: note, written_at: act.now, written_by: writtenBy });
    // It concerns the provider: the account's people do not read of it in their audit log.
    await recordAudit(trx, act, { action: 'account.note', targetId: id, ...(providerId === undefined ? {} : { providerId }), details: {} });
  });
  return (await noteOf(store, accountId)) ?? { text: note, writtenAt: act.now, writtenBy };
}

/** The text without space around it. Throws OperatorError when it is too long, or holds control characters other than line ends and tabs. */
export function checkNote(text: string): string {
  const note = text.replace(/\r\n?/g, '\n').trim();
  if ([...note].length > longestNote) throw new OperatorError(`a note must have at most ${longestNote} characters`);
  if (/[^\P{Cc}\n\t]/u.test(note)) throw new OperatorError('a note must not contain control characters');
  return note;
}
