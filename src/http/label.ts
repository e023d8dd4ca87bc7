import { text } from '../kinds/index.ts';

/** An instance's label of `min` to 60 characters. What not every database can hold is refused: control characters and halves of a character. */
export function label(min: number) {
  return text(min, 60).refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), { error: 'must not hold control characters' });
}
