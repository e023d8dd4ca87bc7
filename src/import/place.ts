import { setImmediate as othersTurn } from 'node:timers/promises';
import { addInstanceIn, dryRunOfInstances, lockAccount } from '../accounts/index.ts';
import { type Act, changesBetween, recordAudit } from '../audit/index.ts';
import { GatewayError, newId, parts, type Vault } from '../core/index.ts';
import { type ImportedNumber, importedRecords, linkedAt, numberOf } from '../networks/whatsapp/imported-number.ts';
import { credentialContext } from '../sessions/index.ts';
import type { Store } from '../store/index.ts';
import { insertLink, leaveToServers, linkedWith, lockImports } from './queries.ts';

/** So many numbers are looked up at once. */
const numbersAtOnce = 500;

/** Where a number is to go. */
export interface Place {
  readonly accountId: string;
  readonly label: string | null;
}

/** A number that is to be placed, or would be. */
interface Planned {
  readonly accountId: string;
  readonly phoneNumber: string;
}

/** Why a number cannot be placed, in one line. */
class NoPlace extends Error {}

/**
 * What would become of these numbers, in their order: null, or why it is not placed. Only reads, so that nobody waits for it; what it has read may
 * change before `placeNumber` decides.
 */
export async function tryPlaces({ db }: Store, numbers: readonly Planned[]): Promise<(string | null)[]> {
  const addInstance = await dryRunOfInstances(
    db,
    numbers.map(({ accountId }) => accountId),
  );
  const problems: (string | null)[] = [];
  for (const some of parts(numbers, numbersAtOnce)) {
    const linked = await linkedWith(
      db,
      some.map(({ phoneNumber }) => phoneNumber),
    );
    for (const { accountId, phoneNumber } of some) {
      try {
        requireUnlinked(phoneNumber, linked);
        addInstance(accountId);
        problems.push(null);
      } catch (error) {
        problems.push(problemOf(error));
      }
    }
    // An embedded store reads on the thread that serves the others.
    await othersTurn();
  }
  return problems;
}

/** Stores a number as a linked instance, all of it or nothing. */
export async function placeNumber(
  store: Store,
  vault: Vault,
  number: ImportedNumber,
  { accountId, label }: Place,
  act: Act,
): Promise<{ readonly instanceId: string; readonly problem: null } | { readonly instanceId: null; readonly problem: string }> {
  const instanceId = newId();
  const phoneNumber = numberOf(number);
  // Before the transaction, in which an embedded database waits.
  const records = new Map(
    [...importedRecords(number)].map(([name, record]) => [name, vault.seal(record, credentialContext(instanceId, name))] as const),
  );
  try {
    await store.transaction(async (trx) => {
      // Two imports, or an import and a scan for the same account, take turns: the second finds what the first has linked.
      await lockImports(trx);
      await lockAccount(trx, accountId);
      requireUnlinked(phoneNumber, await linkedWith(trx, [phoneNumber]));
      await addInstanceIn(trx, { accountId, id: instanceId, network: 'whatsapp', label }, act);
      await insertLink(trx, instanceId, phoneNumber, Math.min(linkedAt(number) ?? act.now, act.now), records);
      await leaveToServers(trx, instanceId);
      const details = changesBetween(null, { phone_number: phoneNumber }) ?? {};
      await recordAudit(trx, act, { action: 'number.link', targetId: instanceId, accountId, details });
    });
    return { instanceId, problem: null };
  } catch (error) {
    return { instanceId: null, problem: problemOf(error) };
  }
}

function requireUnlinked(phoneNumber: string, linked: Awaited<ReturnType<typeof linkedWith>>): void {
  const other = linked.get(phoneNumber);
  if (other !== undefined) throw new NoPlace(`is already linked here, as instance ${other.id} of account ${other.account_id}`);
}

/** Throws what says nothing of the number. */
function problemOf(error: unknown): string {
  if (error instanceof NoPlace) return error.message;
  // An allowance that is used up, and the like.
  if (error instanceof GatewayError) return `has no place: ${error.message}`;
  throw error;
}
