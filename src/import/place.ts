import { addInstanceIn, lockForInstances } from '../accounts/index.ts';
import { type Act, changesBetween, recordAudit } from '../audit/index.ts';
import { GatewayError, newId, type Vault } from '../core/index.ts';
import { type ImportedNumber, importedRecords, linkedAt, numberOf } from '../networks/whatsapp/imported-number.ts';
import { credentialContext } from '../sessions/index.ts';
import type { Db, Dialect, Store } from '../store/index.ts';
import { insertLink, linkedWith, lockImports } from './queries.ts';

/** Where a number is to go. */
export interface Place {
  readonly accountId: string;
  readonly label: string | null;
}

/** A number that is to be placed, or would be. */
export interface Planned extends Place {
  readonly phoneNumber: string;
}

/** Why a number cannot be placed, in one line. */
class NoPlace extends Error {}

/** What would become of these numbers, in their order: null, or why it is not placed. Changes nothing. */
export async function tryPlaces(store: Store, numbers: readonly Planned[], act: Act): Promise<(string | null)[]> {
  const problems: (string | null)[] = [];
  const undone = new Error('nothing is to be stored');
  await store
    .transaction(async (trx) => {
      // A transaction that ends in a deadlock is run again.
      problems.length = 0;
      await lockForInstances(
        trx,
        store.dialect,
        numbers.map(({ accountId }) => accountId),
      );
      for (const number of numbers) problems.push(await problemOf(addPlace(trx, store.dialect, newId(), number, act)));
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return problems;
}

/** Stores a number as a linked instance, all of it or nothing. */
export async function placeNumber(
  store: Store,
  vault: Vault,
  number: ImportedNumber,
  place: Place,
  act: Act,
): Promise<{ readonly instanceId: string; readonly problem: null } | { readonly instanceId: null; readonly problem: string }> {
  const instanceId = newId();
  const phoneNumber = numberOf(number);
  // Before the transaction, in which an embedded database waits.
  const records = new Map(
    [...importedRecords(number)].map(([name, record]) => [name, vault.seal(record, credentialContext(instanceId, name))] as const),
  );
  const placed = store.transaction(async (trx) => {
    // Two imports, or an import and a scan for the same account, take turns: the second finds what the first has linked.
    await lockImports(trx, store.dialect);
    await lockForInstances(trx, store.dialect, [place.accountId]);
    await addPlace(trx, store.dialect, instanceId, { ...place, phoneNumber }, act);
    await insertLink(trx, instanceId, phoneNumber, Math.min(linkedAt(number) ?? act.now, act.now), records);
    const details = changesBetween(null, { phone_number: phoneNumber }) ?? {};
    await recordAudit(trx, act, { action: 'number.link', targetId: instanceId, accountId: place.accountId, details });
  });
  const problem = await problemOf(placed);
  return problem === null ? { instanceId, problem } : { instanceId: null, problem };
}

/** The account is locked by now, so that a number that was just linked to it is found. */
async function addPlace(trx: Db, dialect: Dialect, id: string, { accountId, label, phoneNumber }: Planned, act: Act): Promise<void> {
  const other = await linkedWith(trx, phoneNumber);
  if (other !== undefined) throw new NoPlace(`is already linked here, as instance ${other.id} of account ${other.account_id}`);
  await addInstanceIn(trx, dialect, { accountId, id, network: 'whatsapp', label }, act);
}

async function problemOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof NoPlace) return error.message;
    // An allowance that is used up, and the like.
    if (error instanceof GatewayError) return `has no place: ${error.message}`;
    throw error;
  }
}
