/** A place of the reference that a search can find. */
export interface SearchEntry {
  /** Of the element on the page. */
  readonly id: string;
  readonly title: string;
  /** What is shown below the title. */
  readonly about: string;
  readonly text: string;
  /** A field of an endpoint; found after what has the words in its own title. */
  readonly field?: true;
}

export interface SearchIndex {
  readonly entries: readonly SearchEntry[];
  /** For a word that somebody may type, what the reference says instead. */
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
}

/**
 * What is found for a text, best first: every word must be there, as it is or as a synonym, and one in a title counts most. It runs in the
 * browser as it stands here, so nothing from outside it is used.
 */
export function search({ entries, synonyms }: SearchIndex, typed: string): SearchEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  // A word is recognised while it is being typed, and in the plural.
  const meanings = words.map((word) => {
    const meant = Object.entries(synonyms).filter(([key]) => word.length > 2 && (key.startsWith(word) || word.startsWith(key)));
    return [word, ...meant.flatMap(([, others]) => others)];
  });
  const ranked = entries.flatMap((entry) => {
    const title = entry.title.toLowerCase();
    const rest = `${entry.about} ${entry.text}`.toLowerCase();
    const ranks = meanings.map((some) => {
      if (some.some((one) => title.includes(one))) return 0;
      return some.some((one) => rest.includes(one)) ? 1 : Number.POSITIVE_INFINITY;
    });
    const rank = ranks.reduce((sum, one) => sum + one, entry.field === true ? 0.5 : 0);
    return Number.isFinite(rank) ? [{ entry, rank }] : [];
  });
  // Endpoints share fields, which are the same everywhere: the first one is enough.
  const seen = new Set<string>();
  const found = ranked.sort((one, other) => one.rank - other.rank).map(({ entry }) => entry);
  return found.filter(({ field, title, text }) => {
    const key = `${title} ${text}`;
    const again = field === true && seen.has(key);
    seen.add(key);
    return !again;
  });
}
