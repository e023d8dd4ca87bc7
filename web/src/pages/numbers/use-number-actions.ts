import { notifications } from '@mantine/notifications';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { type Instance, instancesQuery } from '../../api/queries.ts';
import { nameOf } from '../../parts/number-words.ts';

// Other browsers learn of these changes by the live events; this one does not wait for them.

/** Gives a number another name. */
export function useRenameNumber(onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ number, label }: { number: Instance; label: string }) =>
      call<{ readonly label: string }>(pathOf(number), { method: 'PATCH', body: { label } }),
    onSuccess({ label }, { number }) {
      change(queryClient, number, { label });
      notifications.show({ message: `Renamed to “${label}”.` });
      onDone();
    },
  });
}

/** Cuts the link to the phone and keeps the number. */
export function useDisconnectNumber(onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (number: Instance) => call(`${pathOf(number)}?logout_only=true`, { method: 'DELETE' }),
    onSuccess(_, number) {
      change(queryClient, number, { status: 'close', connected: false });
      notifications.show({ message: `${nameOf(number)} is disconnected.` });
      onDone();
    },
  });
}

/** Removes the number for good. */
export function useDeleteNumber(onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (number: Instance) => call(pathOf(number), { method: 'DELETE' }),
    async onSuccess(_, number) {
      queryClient.setQueryData(instancesQuery.queryKey, (known) => known?.filter(({ instance_id }) => instance_id !== number.instance_id));
      notifications.show({ message: `${nameOf(number)} is deleted.` });
      onDone();
      await queryClient.invalidateQueries({ queryKey: ['account'] });
    },
  });
}

function pathOf({ instance_id }: Instance): string {
  return `/v1/instances/${encodeURIComponent(instance_id)}`;
}

function change(queryClient: QueryClient, { instance_id }: Instance, fields: Partial<Instance>): void {
  queryClient.setQueryData(instancesQuery.queryKey, (known) =>
    known?.map((one) => (one.instance_id === instance_id ? { ...one, ...fields } : one)),
  );
}
