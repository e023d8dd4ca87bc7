import { Group, Stack, Text } from '@mantine/core';
import { t } from '../../language/language.ts';
import { People } from '../../parts/people/people.tsx';
import { useSession } from '../../session/session.ts';

/** Who belongs to the account, for those who decide about it. */
export function MembersPart() {
  const { account } = useSession();
  if (account === null) return null;
  return (
    <People
      account={account}
      order={2}
      main
      pages="account"
      frame={(inviteButton, list) => (
        <Stack>
          <Group justify="space-between" gap="sm">
            <Text c="dimmed" size="sm" flex="1 1 260px">
              {t('Members can use everything in this account: numbers, keys and messages. Owners also decide who belongs to it.')}
            </Text>
            {inviteButton}
          </Group>
          {list}
        </Stack>
      )}
    />
  );
}
