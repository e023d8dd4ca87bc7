import { Alert, Button, Group, Text } from '@mantine/core';
import { IconUserShield } from '@tabler/icons-react';
import { useActing } from '../session/acting.ts';
import { useSession } from '../session/session.ts';

/** The banner shown while an operator or provider admin acts for another account. */
export function ActingBanner() {
  const { account, accounts } = useSession();
  const { leave } = useActing();
  if (account === null || accounts.some((own) => own.account_id === account.account_id)) return null;
  return (
    <Alert color="orange" icon={<IconUserShield aria-hidden />} mb="md" p="xs">
      <Group justify="space-between">
        <Text size="sm">
          You act for <b>{account.name}</b>. Everything you do here is done in this account and noted with your name.
        </Text>
        <Button size="xs" variant="default" onClick={leave}>
          Leave the account
        </Button>
      </Group>
    </Alert>
  );
}
