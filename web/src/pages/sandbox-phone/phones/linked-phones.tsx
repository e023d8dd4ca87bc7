import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SandboxPhones } from '../../../../../src/portal/wire/sandbox.ts';
import { call } from '../../../api/client.ts';
import { instancesQuery } from '../../../api/queries.ts';
import { Trans, t } from '../../../language/language.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { shownNumber } from '../../../parts/phone-number.ts';
import { useQuestion } from '../../../parts/use-question.ts';
import { useAccountId } from '../../../session/session.ts';
import { phonesQuery } from '../queries.ts';

interface LinkedPhonesProps {
  readonly phones: SandboxPhones['phones'];
  nameOf(instanceId: string): string;
}

interface LinkedPhone {
  readonly number: string;
  readonly linkedTo: string;
}

/** The linked phones, each with a button to unlink it as its owner would. */
export function LinkedPhones({ phones, nameOf }: LinkedPhonesProps) {
  const { about: asked, opened, ask, close } = useQuestion<LinkedPhone>();
  const queryClient = useQueryClient();
  const accountId = useAccountId();
  const unlink = useMutation({
    mutationFn: ({ number }: LinkedPhone) => call('POST /sandbox/unlink', { body: { phone_number: number } }),
    async onSuccess(_, { number }) {
      await Promise.all([queryClient.invalidateQueries(phonesQuery(accountId)), queryClient.invalidateQueries(instancesQuery(accountId))]);
      notifications.show({ message: t('The phone {{number}} has been unlinked.', { number: shownNumber(number) }) });
      close();
    },
  });
  if (phones.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('No phone is linked.')}
      </Text>
    );
  }
  return (
    <>
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('Linked phones')}>
        {byNumber(phones, nameOf).map((phone) => (
          <Group component="li" key={phone.number} justify="space-between" wrap="nowrap" gap="xs">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={600}>
                {shownNumber(phone.number)}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                <Trans i18nKey="Linked to <bdi>{{name}}</bdi>" values={{ name: phone.linkedTo }} components={{ bdi: <bdi /> }} />
              </Text>
            </div>
            <Button
              variant="default"
              size="xs"
              flex="none"
              onClick={() => ask(phone)}
              aria-label={t('Unlink {{number}}', { number: shownNumber(phone.number) })}
            >
              {t('Unlink')}
            </Button>
          </Group>
        ))}
      </Stack>
      {asked !== null && (
        <ConfirmDialog
          opened={opened}
          title={t('Unlink {{number}}?', { number: shownNumber(asked.number) })}
          confirm={t('Unlink phone')}
          change={unlink}
          onConfirm={() => unlink.mutate(asked)}
          onClose={close}
        >
          <Text size="sm">
            <Trans
              i18nKey="This is what happens when the phone's owner removes the gateway from the phone's linked devices: <bdi>{{name}}</bdi> cannot send until it is linked again with a scan."
              values={{ name: asked.linkedTo }}
              components={{ bdi: <bdi /> }}
            />
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}

function byNumber(phones: SandboxPhones['phones'], nameOf: LinkedPhonesProps['nameOf']): readonly LinkedPhone[] {
  const names = new Map<string, string[]>();
  for (const { phone_number, instance_id } of phones) names.set(phone_number, [...(names.get(phone_number) ?? []), nameOf(instance_id)]);
  return [...names].map(([number, linkedTo]) => ({ number, linkedTo: linkedTo.join(', ') }));
}
