import { notifications } from '@mantine/notifications';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { actingAccount, call } from '../api/client.ts';

const mutationKey = ['sign-out'];

/** Ends the session and leads to the sign-in. */
export function useSignOut() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey,
    async mutationFn() {
      // What the pages still ask for would be refused.
      await queryClient.cancelQueries();
      return call('POST /portal/auth/sign-out', { body: {} });
    },
    onError: ({ message }) => void notifications.show({ message, color: 'red' }),
    onSuccess() {
      actingAccount.set(null);
      // Loaded anew, so that nothing of this person stays in memory.
      location.assign('/sign-in');
      // Over when the document is: until then no page may ask once more.
      return new Promise<never>(() => undefined);
    },
  });
}

/** Whether the person is signing out, so that nothing more may be asked in their name. */
export const useSigningOut = (): boolean => useIsMutating({ mutationKey }) > 0;
