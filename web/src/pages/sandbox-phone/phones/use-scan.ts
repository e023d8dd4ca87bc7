import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../../../api/client.ts';
import type { Scanned } from '../../../api/contract.ts';
import { instancesQuery } from '../../../api/queries.ts';
import { t } from '../../../language/language.ts';
import { shownNumber } from '../../../parts/phone-number.ts';
import { useAccountId } from '../../../session/session.ts';
import { phonesQuery } from '../queries.ts';

/** Scans the code that a number (called `name`) shows. The result is told in a notification, because the code itself is gone then. */
export function useScan(name: string) {
  const queryClient = useQueryClient();
  const accountId = useAccountId();
  return useMutation({
    async mutationFn(asked: { readonly code: string; readonly phone_number: string }) {
      const scanned = await call('POST /sandbox/scan', { body: asked });
      return { ...scanned, refused: await isRefused(scanned) };
    },
    onSuccess({ phone_number, refused }) {
      const phone = shownNumber(phone_number);
      notifications.show(
        refused
          ? {
              color: 'orange',
              message: t('{{phone}} is already linked to another number of this account, so {{name}} was not linked.', { phone, name }),
            }
          : { message: t('{{phone}} is now linked to {{name}}.', { phone, name }) },
      );
      void queryClient.invalidateQueries(phonesQuery(accountId));
      void queryClient.invalidateQueries(instancesQuery(accountId));
    },
  });
}

/** One phone number serves one number of an account; the link of a second one is dropped. */
async function isRefused({ instance_id }: Scanned): Promise<boolean> {
  try {
    await call('GET /v1/instances/:id/status', { params: { id: instance_id } });
    return false;
  } catch (error) {
    return error instanceof ApiError && error.code === 'number_already_connected';
  }
}
