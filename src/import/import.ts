import type { Act } from '../audit/index.ts';
import { isoOrNull, OperatorError, type Vault } from '../core/index.ts';
import { countImported, type ImportedNumber, importProblem, linkedAt, numberOf } from '../networks/whatsapp/imported-number.ts';
import type { Store } from '../store/index.ts';
import type { Archive, Found, Left } from './found.ts';
import { type Place, placeNumber, tryPlaces } from './place.ts';

const mostNamed = 3;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What is known of one number of an archive, without its keys. */
export interface Summary {
  readonly source: string;
  readonly phoneNumber: string | null;
  readonly lid: string | null;
  readonly platform: string | null;
  /** When a phone linked it there, and when it was used last (epoch milliseconds). */
  readonly linkedAt: number | null;
  readonly usedAt: number | null;
  readonly accountId: string | null;
  readonly label: string | null;
  readonly taken: ReturnType<typeof countImported> | null;
  readonly left: Left | null;
  /** The instance that it is now; null when it was not stored. */
  readonly instanceId: string | null;
  /** Why it cannot be taken, completing "the number …"; null when it can. */
  readonly problem: string | null;
}

/** The same as people and programs are answered. */
export function summaryView({ phoneNumber, linkedAt, usedAt, accountId, instanceId, ...number }: Summary) {
  return {
    source: number.source,
    phone_number: phoneNumber,
    lid: number.lid,
    platform: number.platform,
    linked_at: isoOrNull(linkedAt),
    used_at: isoOrNull(usedAt),
    account_id: accountId,
    label: number.label,
    taken: number.taken,
    not_taken: number.left,
    instance_id: instanceId,
    problem: number.problem,
  };
}

/** Where each number goes; `null` for one that nobody has named. */
export type Mapping = (number: { readonly source: string; readonly phoneNumber: string; readonly label: string | null }) => Place | null;

/** A number that is stored now. */
interface Placed {
  readonly accountId: string;
  readonly instanceId: string;
}

interface ImportOptions {
  readonly store: Store;
  readonly vault: Vault;
  /** Called for each number that was placed. */
  readonly onPlaced?: (number: Placed) => Promise<void>;
  /** What a failure is called in the result; by default its message. */
  readonly told?: (error: unknown) => string;
}

interface Read {
  readonly summary: Summary;
  readonly stamp: string;
}

/** What each number of the archive is, and whether it can be imported. Changes nothing. */
export async function planImport(store: Store, archive: Archive, mapping: Mapping): Promise<Summary[]> {
  return (await plan(store, archive, mapping)).map(({ summary }) => summary);
}

/**
 * Imports every number that can be: each as a whole or not at all. Throws OperatorError when another program
 * was connected to the archive since it was opened; once one is later, nothing more is placed. Another failure is thrown only before the first; later
 * the rest has it as the problem, in the words of `told`.
 */
export async function importNumbers(
  { store, vault, onPlaced, told = messageOf }: ImportOptions,
  archive: Archive,
  mapping: Mapping,
  act: Act,
): Promise<Summary[]> {
  if (await archive.wasUsed()) throw new OperatorError('another program is connected to the database; stop it first');
  const done: Summary[] = [];
  let isTried = false;
  let isPlacing = false;
  const importOne = async (summary: Summary, stamp: string): Promise<Summary> => {
    const { accountId, label } = summary;
    if (summary.problem !== null || accountId === null) return summary;
    // Read once more, because the keys of all numbers need not fit into memory.
    const now = await archive.read(summary.source);
    if (now.stamp !== stamp || now.number === null)
      return { ...summary, problem: 'has changed while it was read: the other program still runs' };
    if (await archive.wasUsed()) return { ...summary, problem: 'was left out: another program has connected to the database' };
    isTried = true;
    isPlacing = true;
    const placed = await placeNumber(store, vault, now.number, { accountId, label }, act);
    if (placed.instanceId !== null) await onPlaced?.({ accountId, instanceId: placed.instanceId });
    isPlacing = false;
    return { ...summary, ...placed };
  };
  let failure: string | null = null;
  for (const { summary, stamp } of await plan(store, archive, mapping)) {
    try {
      done.push(failure === null ? await importOne(summary, stamp) : { ...summary, problem: summary.problem ?? failure });
    } catch (error) {
      // Which numbers are here by now must be told all the same: the other program may not go on with them.
      if (!isTried) throw error;
      const again = 'run the import again, which leaves out what is linked';
      const why = told(error);
      // The database may have been lost after it had committed.
      done.push({ ...summary, problem: `${isPlacing ? 'is perhaps linked here now' : 'was not tried'}: ${why}; ${again}` });
      failure = `was not tried, because the import failed before; ${again}`;
    }
  }
  return done;
}

async function plan(store: Store, archive: Archive, mapping: Mapping): Promise<Read[]> {
  const reads: Read[] = [];
  for (const source of archive.sources) {
    const found = await archive.read(source);
    reads.push({ summary: summaryOf(found, mapping), stamp: found.stamp });
  }
  const byNumber = Map.groupBy(reads, ({ summary }) => summary.phoneNumber);
  const checked = reads.map(({ summary, stamp }) => {
    const same = summary.phoneNumber === null ? [] : (byNumber.get(summary.phoneNumber) ?? []);
    return { summary: { ...summary, problem: summary.problem ?? twiceProblem(summary.source, same) }, stamp };
  });
  const ready = checked.flatMap(({ summary: { accountId, phoneNumber, problem, source } }) =>
    problem === null && accountId !== null && phoneNumber !== null ? [{ accountId, phoneNumber, source }] : [],
  );
  const problems = await tryPlaces(store, ready);
  const refused = new Map(ready.map(({ source }, at) => [source, problems[at] ?? null]));
  return checked.map(({ summary, stamp }) => ({
    summary: { ...summary, problem: summary.problem ?? refused.get(summary.source) ?? null },
    stamp,
  }));
}

/** `same` is what has the same number. Only a few are named, because thousands may have it. */
function twiceProblem(source: string, same: readonly Read[]): string | null {
  if (same.length < 2) return null;
  const others = same.slice(0, mostNamed + 1).filter(({ summary }) => summary.source !== source);
  const named = others.slice(0, mostNamed).map(({ summary }) => summary.source);
  const more = same.length - 1 - named.length;
  return `is also in ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}; import the one that was used last by itself`;
}

const nothingFound = { phoneNumber: null, lid: null, platform: null, linkedAt: null, usedAt: null, taken: null, left: null };

function summaryOf(found: Found, mapping: Mapping): Summary {
  const { source } = found;
  if (found.number === null) return { source, ...nothingFound, accountId: null, label: null, instanceId: null, problem: found.problem };
  const { number, label, usedAt, left } = found;
  const phoneNumber = numberOf(number);
  const place = mapping({ source, phoneNumber, label });
  return {
    source,
    phoneNumber,
    lid: lidOf(number),
    platform: number.platform,
    linkedAt: linkedAt(number),
    usedAt,
    taken: countImported(number),
    left,
    accountId: place?.accountId ?? null,
    label: place?.label ?? null,
    instanceId: null,
    problem: importProblem(number) ?? (place === null ? 'is not in the table of accounts' : null),
  };
}

const lidOf = ({ lid }: ImportedNumber): string | null => lid?.split(':', 1)[0] ?? null;
