import { Group, Progress, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { allowedNumbers } from '../../parts/account/allowed-numbers.ts';
import { useAccountId } from '../../session/session.ts';

/** "2 of 3 numbers in use". */
export function Allowance({ numbers }: { readonly numbers: number }) {
  const { data, isPending } = useQuery(accountQuery(useAccountId()));
  if (isPending) return <Skeleton h={22} w={180} />;
  if (data === undefined) return null;
  const allowed = allowedNumbers(data);
  const full = numbers >= allowed;
  return (
    <Group gap="sm" mih={22}>
      <Text size="sm" c="dimmed">
        {t('{{used}} of {{count}} numbers in use', {
          used: numbers,
          count: allowed,
          defaultValue_one: '{{used}} of {{count}} number in use',
        })}
      </Text>
      <Progress
        value={allowed === 0 ? 100 : Math.min(100, (numbers / allowed) * 100)}
        color={full ? 'orange' : 'teal'}
        w={100}
        aria-hidden
      />
    </Group>
  );
}
