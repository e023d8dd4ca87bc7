import { Group, Progress, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AccountView } from '../../../../src/portal/wire/index.ts';
import { accountQuery } from '../../api/queries.ts';

/** How many numbers the account may have: an operator's account its free slots, any other its own limit or else its plan's. */
export function allowedNumbers({ operator, free_slots, instance_limit, plan }: AccountView): number {
  return operator ? (free_slots ?? 0) : (instance_limit ?? plan?.instance_limit ?? 0);
}

/** "2 of 3 numbers in use". */
export function Allowance({ numbers }: { readonly numbers: number }) {
  const { data, isPending } = useQuery(accountQuery);
  if (isPending) return <Skeleton h={22} w={180} />;
  if (data === undefined) return null;
  const allowed = allowedNumbers(data);
  const full = numbers >= allowed;
  return (
    <Group gap="sm" mih={22}>
      <Text size="sm" c="dimmed">
        {numbers} of {allowed} {allowed === 1 ? 'number' : 'numbers'} in use
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
