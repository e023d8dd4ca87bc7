import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountsKey, operatorKey } from '../api/queries.ts';

interface ChangeOptions<Asked, Answer> {
  /** The notification afterwards; none when absent. */
  readonly said?: (answer: Answer, asked: Asked) => string;
  readonly onDone?: (answer: Answer, asked: Asked) => void;
}

/** A change made on a page. Afterwards all data on screen is fetched again. */
export function useChange<Asked, Answer>(ask: (asked: Asked) => Promise<Answer>, { said, onDone }: ChangeOptions<Asked, Answer> = {}) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ask,
    async onSuccess(answer, asked) {
      const refreshed = Promise.all([accountsKey, operatorKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      // A dialog that closes shows the page with the change already in it.
      if (onDone !== undefined) await refreshed;
      if (said !== undefined) notifications.show({ message: said(answer, asked) });
      onDone?.(answer, asked);
    },
  });
}
