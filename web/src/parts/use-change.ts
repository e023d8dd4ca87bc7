import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountsKey, operatorKey } from '../api/queries.ts';
import { sayWithUndo } from './undo.tsx';

interface ChangeOptions<Asked, Answer> {
  /** The notification afterwards; none when absent. */
  readonly said?: (answer: Answer, asked: Asked) => string;
  /** The call that takes the change back, which the notification then offers; null: there is none. Asked for beforehand, while the page still shows what was. */
  readonly back?: (asked: Asked) => (() => Promise<unknown>) | null;
  readonly onDone?: (answer: Answer, asked: Asked) => void;
}

/** A change made on a page. Afterwards all data on screen is fetched again. */
export function useChange<Asked, Answer>(
  ask: (asked: Asked) => Promise<Answer>,
  { said, back, onDone }: ChangeOptions<Asked, Answer> = {},
) {
  const queryClient = useQueryClient();
  const refresh = () => Promise.all([accountsKey, operatorKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  return useMutation({
    mutationFn: ask,
    onMutate: (asked: Asked) => back?.(asked) ?? null,
    async onSuccess(answer, asked, takeBack) {
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
