import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { accountsKey, operatorKey } from '../api/queries.ts';
import { sayWithUndo } from './undo.tsx';

interface ChangeOptions<Asked, Answer> {
  /** The notification afterwards; none when absent. */
  readonly said?: (answer: Answer, asked: Asked) => string;
  /** The call that takes the change back, which the notification then offers; null: there is none. Asked for beforehand, while the page still shows what was. */
  readonly back?: (asked: Asked) => (() => Promise<unknown>) | null;
  /** Leaves the page of what the change took away, before everything on it is fetched again: there is nothing left to fetch. */
  readonly leave?: (() => Promise<void>) | undefined;
  readonly onDone?: (answer: Answer, asked: Asked) => void;
  /** What else it changes. */
  readonly also?: readonly QueryKey[];
}

/** A change made on a page. Afterwards all data on screen is fetched again. */
export function useChange<Asked, Answer>(
  ask: (asked: Asked) => Promise<Answer>,
  { said, back, leave, onDone, also = [] }: ChangeOptions<Asked, Answer> = {},
) {
  const queryClient = useQueryClient();
  const changed = [accountsKey, operatorKey, ...also];
  const refresh = () => Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  return useMutation({
    mutationFn: ask,
    onMutate: (asked: Asked) => back?.(asked) ?? null,
    async onSuccess(answer, asked, takeBack) {
      if (leave !== undefined) {
        // The page it leads to would show from memory what has just been taken away.
        for (const queryKey of changed) queryClient.removeQueries({ queryKey, type: 'inactive' });
        await leave();
      }
      const refreshed = refresh();
      // A dialog that closes shows the page with the change already in it.
      if (onDone !== undefined) await refreshed;
      if (said !== undefined) {
        const message = said(answer, asked);
        if (takeBack === null) notifications.show({ message });
        else
          sayWithUndo(message, async () => {
            await takeBack();
            await refresh();
          });
      }
      onDone?.(answer, asked);
    },
  });
}
