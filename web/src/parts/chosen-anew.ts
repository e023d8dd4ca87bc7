import type { MouseEvent } from 'react';

/**
 * Of an input for files: browsers do not tell of a file that is chosen once more,
 * though it may be another one by then, or could not be sent.
 */
export const chosenAnew = {
  onClick({ currentTarget }: MouseEvent<HTMLInputElement>) {
    currentTarget.value = '';
  },
};
