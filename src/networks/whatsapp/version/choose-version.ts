/**
 * Which version of WhatsApp Web the gateway says it is. WhatsApp refuses a version some four to five months after it was made (code 405), so the
 * newest one is read from WhatsApp's own page and remembered. This file decides and does nothing else.
 */

/** What is known of versions; the same for all numbers, kept in the store. A version is its `client_revision`: N of 2.3000.N. Times are epoch milliseconds. */
export interface VersionRecord {
  /** The newest one that was read from the version page, and when it was read last. */
  readonly fetched: number | null;
  readonly fetchedAt: number | null;
  /** The one that WhatsApp let in last, and since when it does. */
  readonly accepted: number | null;
  readonly acceptedAt: number | null;
  /** A version of which WhatsApp has told the day on which it ends. */
  readonly expiring: number | null;
  readonly expiresAt: number | null;
}

/** Where a version comes from. `override`: the setting WHATSAPP_VERSION. `bundled`: this release of the gateway. */
export type VersionSource = 'override' | 'fetched' | 'accepted' | 'bundled';

/** The version in use. */
export interface ChosenVersion {
  readonly revision: number;
  readonly source: VersionSource;
  /** When the version page named it; null when it did not. */
  readonly fetchedAt: number | null;
  /** Since when WhatsApp lets it in; null when it has not yet. */
  readonly acceptedAt: number | null;
  /** When WhatsApp will stop letting it in; null when WhatsApp has not said. */
  readonly expiresAt: number | null;
}

/** The version inside the library, and the day it was made. A test holds it against the library. */
export const bundledVersion = { revision: 1_043_857_760, madeAt: Date.UTC(2026, 6, 26) } as const;

export const nothingKnown: VersionRecord = {
  fetched: null,
  fetchedAt: null,
  accepted: null,
  acceptedAt: null,
  expiring: null,
  expiresAt: null,
};

const dayMs = 24 * 60 * 60 * 1000;
/** A version older than this is warned of: some were refused after 125 days, and linking fails earlier. */
export const oldAfterMs = 60 * dayMs;
/** How far the revision may grow between two readings of the version page: three times as much as was seen, and a margin. */
const growthPerDay = 200_000;
const growthMargin = 2_000_000;

/** The override, else what was fetched, else what was accepted last, else the bundled one; of these the first that is not `refused`, if there is one. */
export function chooseVersion(record: VersionRecord, override: number | null, refused: ReadonlySet<number> = new Set()): ChosenVersion {
  const { revision, source } =
    override === null ? firstOf(candidates(record), refused) : { revision: override, source: 'override' as const };
  return {
    revision,
    source,
    fetchedAt: revision === record.fetched ? record.fetchedAt : null,
    acceptedAt: revision === record.accepted ? record.acceptedAt : null,
    expiresAt: revision === record.expiring ? record.expiresAt : null,
  };
}

type Candidate = Pick<ChosenVersion, 'revision' | 'source'>;
const bundled: Candidate = { revision: bundledVersion.revision, source: 'bundled' };

/** In the order in which they are tried. What was remembered before an upgrade of the gateway may be older than what it brings along. */
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
 * Whether a page that names this revision is to be believed: it never goes back, and grows no faster than it can. A proxy's sign-in page or a
 * mistake of WhatsApp's must not cost every number its connection.
 */
export function isPlausible(revision: number, record: VersionRecord, now: number): boolean {
  if (!Number.isSafeInteger(revision)) return false;
  const { accepted, acceptedAt } = record;
  const [known, since] =
    accepted !== null && accepted > bundledVersion.revision
      ? [accepted, acceptedAt ?? now]
      : [bundledVersion.revision, bundledVersion.madeAt];
  const ageDays = Math.max(0, now - since) / dayMs;
  return revision >= known && revision <= known + growthPerDay * ageDays + growthMargin;
}

/** The revision that a page names; null when it names none. In scripts its quotes are escaped. */
export function revisionIn(page: string): number | null {
  const found = /\\?"client_revision\\?"\s*:\s*(\d{1,15})\b/.exec(page)?.[1];
  return found === undefined ? null : Number(found);
}

/** How old the version is at least, in milliseconds; null for one of which nothing is known but its number. */
export function ageOf(version: ChosenVersion, now: number): number | null {
  const { revision, fetchedAt, acceptedAt } = version;
  const since = fetchedAt ?? (revision === bundledVersion.revision ? bundledVersion.madeAt : acceptedAt);
  return since === null ? null : Math.max(0, now - since);
}

/** As WhatsApp writes it: `2.3000.1043857760`. */
export function versionText(revision: number): string {
  return `2.3000.${revision}`;
}
