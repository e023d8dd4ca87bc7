/** What is told how the server answers. */
interface AnswerWatch {
  /** It said something, whatever it was. */
  heard(): void;
  /** A request went without an answer. */
  doubt(): void;
  /** An answer takes long: is the server there at all? */
  ask(): void;
}

/** Set by the pages that show whether the server answers (live/reach.ts). */
export const answerWatch: { current: AnswerWatch | null } = { current: null };
