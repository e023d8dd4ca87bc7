import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { Instance } from '../../api/contract.ts';
import { accountQuery, instancesQuery } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { nameOf } from '../../parts/number-words.ts';
import { sayWithUndo } from '../../parts/undo.tsx';
import { useAccountId } from '../../session/session.ts';

// Other browsers learn of these changes by the live events; this one does not wait for them.

/** Gives a number another name. */
export function useRenameNumber(number: Instance, onDone: () => void) {
  const change = useListChange();
  const account = useAccountId();
  const rename = async (body: { readonly label: string }) => {
    const { label } = await call('PATCH /v1/instances/:id', { params: { id: number.instance_id }, body, account });
    change((known) => known.map((one) => (isSame(one, number) ? { ...one, label } : one)));
    return label;
  };
  return useMutation({
    mutationFn: rename,
    onSuccess(label) {
      const { label: before } = number;
      const message = t('Renamed to “{{label}}”.', { label });
      // It had no name before, and none can be given.
      if (before === null) notifications.show({ message });
      else sayWithUndo(message, () => rename({ label: before }));
      onDone();
    },
  });
}

/** Cuts the link to the phone and keeps the number. */
export function useDisconnectNumber(onDone: () => void) {
  const change = useListChange();
  return useMutation({
    mutationFn: ({ instance_id }: Instance) =>
      call('DELETE /v1/instances/:id', { params: { id: instance_id }, query: { logout_only: true } }),
    onSuccess(_, number) {
      change((known) => known.map((one) => (isSame(one, number) ? { ...one, status: 'close', connected: false } : one)));
      notifications.show({ message: t('{{number}} has been disconnected.', { number: nameOf(number) }) });
      onDone();
    },
  });
}

/** Removes the number for good. */
export function useDeleteNumber(onDone: () => void) {
  const change = useListChange();
  return useMutation({
    mutationFn: ({ instance_id }: Instance) => call('DELETE /v1/instances/:id', { params: { id: instance_id } }),
    onSuccess(_, number) {
      change((known) => known.filter((one) => !isSame(one, number)));
      notifications.show({ message: t('{{number}} has been deleted.', { number: nameOf(number) }) });
      onDone();
    },
  });
}

/** Changes the list on screen at once. What the account may use changes with it. */
function useListChange() {
  const queryClient = useQueryClient();
  const accountId = useAccountId();
  return (change: (known: readonly Instance[]) => readonly Instance[]) => {
    queryClient.setQueryData(instancesQuery(accountId).queryKey, (known) => known && change(known));
    void queryClient.invalidateQueries(accountQuery(accountId));
  };
}

function isSame(one: Instance, other: Instance): boolean {
  return one.instance_id === other.instance_id;
}
