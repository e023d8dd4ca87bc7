import type { Instance } from '../../api/contract.ts';
import { useQuestion } from '../../parts/use-question.ts';

/** The actions on a number that open a dialog. */
export type Question = 'rename' | 'scan-link' | 'disconnect' | 'delete';

export function useNumberDialogs() {
  return useQuestion<{ readonly question: Question; readonly number: Instance }>();
}
