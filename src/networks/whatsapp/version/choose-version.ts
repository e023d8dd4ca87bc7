import { dayMs } from '../../../core/index.ts';
/**
 * Chooses the version of WhatsApp Web that the gateway claims to be. WhatsApp refuses a version about four to five months after its release (code
 * 405), so the newest one is read from WhatsApp's own page and remembered. This file only decides; it reads and stores nothing.
 */

/**
 * What is known of versions. It is the same for all numbers and is kept in the store. A version is named by its `client_revision`: N of 2.3000.N.
 * Times are epoch milliseconds.
 */
export interface VersionRecord {
  /** The newest version read from the version page, and when it was last read. */
  readonly fetched: number | null;
  readonly fetched_at: number | null;
  /** The version that WhatsApp accepted last, and since when. */
  readonly accepted: number | null;
  readonly accepted_at: number | null;
  /** A version for which WhatsApp has announced an end date. */
  readonly expiring: number | null;
  readonly expires_at: number | null;
}

/**
 * Where a version comes from. `override`: the setting WHATSAPP_VERSION. `fetched`: the version page. `accepted`: an earlier login. `bundled`: this
 * release of the gateway.
 */
export type VersionSource = 'override' | 'fetched' | 'accepted' | 'bundled';

/** The version in use. */
export interface ChosenVersion {
  readonly revision: number;
  readonly source: VersionSource;
  /** When the version page named it; null if it did not. */
  readonly fetchedAt: number | null;
  /** Since when WhatsApp accepts it; null if it has not yet. */
  readonly acceptedAt: number | null;
  /** When WhatsApp will stop accepting it; null when unknown. */
  readonly expiresAt: number | null;
}

/** The version built into the library and its release date. A test compares it with the library. */
export const bundledVersion = { revision: 1_043_857_760, madeAt: Date.UTC(2026, 6, 26) } as const;

export const nothingKnown: VersionRecord = {
  fetched: null,
  fetched_at: null,
  accepted: null,
  accepted_at: null,
  expiring: null,
  expires_at: null,
};

/** A version older than this causes a warning: some were refused after 125 days, and linking fails earlier. */
export const oldAfterMs = 60 * dayMs;
/** How much the revision may grow per day between two readings of the version page: three times the growth observed so far. */
const growthPerDay = 200_000;
const growthMargin = 2_000_000;

/**
 * The override; otherwise the fetched version, the version accepted last, or the bundled one. Of these, the first that is not in `refused`, if there
 * is one.
 */
export function chooseVersion(record: VersionRecord, override: number | null, refused: ReadonlySet<number> = new Set()): ChosenVersion {
  const { revision, source } =
    override === null ? firstOf(candidates(record), refused) : { revision: override, source: 'override' as const };
  return {
    revision,
    source,
    fetchedAt: revision === record.fetched ? record.fetched_at : null,
    acceptedAt: revision === record.accepted ? record.accepted_at : null,
    expiresAt: revision === record.expiring ? record.expires_at : null,
  };
}

type Candidate = Pick<ChosenVersion, 'revision' | 'source'>;
const bundled: Candidate = { revision: bundledVersion.revision, source: 'bundled' };

/** In the order in which they are tried. After an upgrade of the gateway, the remembered versions may be older than the bundled one. */
function candidates({ fetched, accepted }: VersionRecord): Candidate[] {
  const known: Candidate[] = [];
  if (fetched !== null && fetched >= bundled.revision) known.push({ revision: fetched, source: 'fetched' });
  if (accepted !== null && accepted >= bundled.revision) known.push({ revision: accepted, source: 'accepted' });
  return [...known, bundled];
}

function firstOf(inOrder: readonly Candidate[], refused: ReadonlySet<number>): Candidate {
  return inOrder.find(({ revision }) => !refused.has(revision)) ?? inOrder[0] ?? bundled;
}

/**
 * Whether to believe a page that names this revision. A revision never goes back and grows only so fast. A proxy's sign-in page or a mistake by
 * WhatsApp must not disconnect every number.
 */
export function isPlausible(revision: number, record: VersionRecord, now: number): boolean {
  if (!Number.isSafeInteger(revision)) return false;
  const { accepted, accepted_at } = record;
  const [known, since] =
    accepted !== null && accepted > bundledVersion.revision
      ? [accepted, accepted_at ?? now]
      : [bundledVersion.revision, bundledVersion.madeAt];
  const ageDays = Math.max(0, now - since) / dayMs;
  return revision >= known && revision <= known + growthPerDay * ageDays + growthMargin;
}

/** The revision that a page names; null if it names none. Inside scripts the quotes are escaped. */
export function revisionIn(page: string): number | null {
  const found = /\\?"client_revision\\?"\s*:\s*(\d{1,15})\b/.exec(page)?.[1];
  return found === undefined ? null : Number(found);
}

/** The version's age in milliseconds, at least; null if nothing but its number is known. */
export function ageOf(version: ChosenVersion, now: number): number | null {
  const { revision, fetchedAt, acceptedAt } = version;
  const since = fetchedAt ?? (revision === bundledVersion.revision ? bundledVersion.madeAt : acceptedAt);
  return since === null ? null : Math.max(0, now - since);
}

/** The version as WhatsApp writes it: `2.3000.1043857760`. */
export function versionText(revision: number): string {
  return `2.3000.${revision}`;
}
