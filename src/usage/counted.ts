import { setImmediate } from 'node:timers/promises';
import { parts } from '../core/index.ts';
import type { Store } from '../store/index.ts';

type Answers = Map<string, { readonly at: number; readonly answer: Promise<unknown> }>;

/** What was counted of many accounts, for all who ask. */
const known = new WeakMap<Store, Answers>();

/** Whether a moment is at most so long ago. One that is to come was before the clock was set back. */
export const within = (ms: number, now: number) => (at: number) => now >= at && now - at < ms;

/** What `count` counts, or has counted at a moment that is fresh. */
export function counted<Answer>(
  store: Store,
  what: string,
  isFresh: (at: number) => boolean,
  now: number,
  count: () => Promise<Answer>,
): Promise<Answer> {
  const answers: Answers = known.get(store) ?? new Map();
  known.set(store, answers);
  const before = answers.get(what);
  if (before !== undefined && isFresh(before.at)) return before.answer as Promise<Answer>;
  const answer = count();
  answers.set(what, { at: now, answer });
  // A failure is not kept.
  answer.catch(() => answers.delete(what));
  return answer;
}

/** So many at a time, and requests in between: an embedded store reads on the thread that serves them. */
export async function* inTurns<T>(all: readonly T[], most: number): AsyncGenerator<T[]> {
  for (const some of parts(all, most)) {
    yield some;
    await setImmediate();
  }
}
