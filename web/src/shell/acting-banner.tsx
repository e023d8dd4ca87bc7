import { Alert, Button, Group, Text } from '@mantine/core';
import { IconUserShield } from '@tabler/icons-react';
import { Trans, t } from '../language/language.ts';
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
          <Trans
            i18nKey="You are acting for <b>{{account}}</b>. Everything you do here happens in this account and is recorded with your name."
            values={{ account: account.name }}
            components={{ b: <b /> }}
          />
        </Text>
        <Button size="xs" variant="default" onClick={leave}>
          {t('Leave the account')}
        </Button>
      </Group>
    </Alert>
  );
}
