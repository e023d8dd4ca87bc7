import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { call } from '../../../api/client.ts';
import { accountsKey } from '../../../api/queries.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { sessionQuery, useSession } from '../../../session/session.ts';
import { Card } from './card.tsx';

/** What the person is called, and the address they sign in with. */
export function NameForm() {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (name: string) => call('/portal/auth/change-name', { method: 'POST', body: { name } }),
    async onSuccess() {
      await queryClient.invalidateQueries(sessionQuery);
      void queryClient.invalidateQueries({ queryKey: accountsKey });
      notifications.show({ message: 'Your name is changed.' });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate(String(new FormData(event.currentTarget).get('name')).trim());
  };
  return (
    <Card title="Name and e-mail">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            name="name"
            label="Your name"
            defaultValue={user.name}
            maxLength={100}
            pattern=".*\S.*"
            title="A name with at least one letter"
            autoComplete="name"
            required
          />
          <Text size="sm">
            You sign in as <b>{user.email}</b>.
          </Text>
          <FailureAlert error={change.error} />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
