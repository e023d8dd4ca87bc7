import { text } from '../kinds/index.ts';

/** An instance's label of `min` to 60 characters. Control characters are refused: not every database can hold them. */
export function label(min: number) {
  return text(min, 60).refine((value) => !/\p{Cc}/u.test(value), { error: 'must not contain control characters' });
}
