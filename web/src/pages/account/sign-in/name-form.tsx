import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { isNotEmpty } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { accountsKey } from '../../../api/queries.ts';
import { Trans, t } from '../../../language/language.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { useSentForm } from '../../../parts/use-sent-form.ts';
import { sessionQuery, useSession } from '../../../session/session.ts';
import { Card } from './card.tsx';

/** What the person is called, and the address they sign in with. */
export function NameForm() {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (body: { readonly name: string }) => call('POST /portal/auth/change-name', { body }),
    async onSuccess() {
      await queryClient.invalidateQueries(sessionQuery);
      void queryClient.invalidateQueries({ queryKey: accountsKey });
      notifications.show({ message: t('Your name has been changed.') });
    },
  });
  const { form, submit, failed } = useSentForm(change, {
    initialValues: { name: user.name },
    transformValues: ({ name }) => ({ name: name.trim() }),
    validate: { name: isNotEmpty(t('Enter your name.')) },
  });
  return (
    <Card title={t('Name and e-mail')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput label={t('Your name')} maxLength={100} autoComplete="name" required {...form.getInputProps('name')} />
          <Text size="sm">
            <Trans i18nKey="You sign in as <b>{{email}}</b>." values={{ email: user.email }} components={{ b: <b /> }} />
          </Text>
          <FailureAlert error={failed.error} />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              {t('Save name')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
