import { type Act, recordAudit } from '../audit/index.ts';
import { OperatorError, storedId } from '../core/index.ts';
import { existingAccount, type Store } from '../store/index.ts';
import { lockExisting, selectNote, upsertNote } from './queries/accounts.ts';

/** What those who administer an account note about it; an empty text: nothing. */
export type AccountNote = NonNullable<Awaited<ReturnType<typeof selectNote>>>;

const longestNote = 4000;

/** The note about an account; undefined when nobody ever wrote one. Throws OperatorError for an unknown account. */
export async function noteOf({ db }: Store, accountId: string): Promise<AccountNote | undefined> {
  return selectNote(db, await existingAccount(db, accountId));
}

/** Replaces the note; an empty text removes it. Its text never stands in the audit log. Throws OperatorError for an unknown account or a bad text. */
export async function writeNote(store: Store, accountId: string, text: string, act: Act): Promise<AccountNote | undefined> {
  const note = checkNote(text);
  const writtenBy = act.actor.kind === 'user' ? act.actor.name : null;
  await store.transaction(async (trx) => {
    const { id, provider_id: providerId } = await lockExisting(trx, storedId(accountId));
    const before = await selectNote(trx, id);
    if ((before?.text ?? '') === note) return;
    await upsertNote(trx, { account_id: id, text: note, written_at: act.now, written_by: writtenBy });
    // It concerns the provider: the account's people do not read of it in their audit log.
    await recordAudit(trx, act, { action: 'account.note', targetId: id, providerId, details: {} });
  });
  return noteOf(store, accountId);
}

/** The text without space around it. Throws OperatorError when it is too long, or holds control characters other than line ends and tabs. */
export function checkNote(text: string): string {
  const note = text.replace(/\r\n?/g, '\n').trim();
  if ([...note].length > longestNote) throw new OperatorError(`a note must have at most ${longestNote} characters`);
  if (/[^\P{Cc}\n\t]/u.test(note)) throw new OperatorError('a note must not contain control characters');
  return note;
}
