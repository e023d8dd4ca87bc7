/** What one section of a document asks. */
export interface Section {
  readonly title: string;
  /** Its rules by id, in the order of the document. A sentence that begins with … goes on from the one before. */
  readonly rules: Readonly<Record<string, string>>;
  /** Why some of them have no test, by id. */
  readonly untested?: Readonly<Record<string, string>>;
  /** Ids of rules that the section repeats and that stand in another one. */
  readonly elsewhere?: readonly string[];
}
