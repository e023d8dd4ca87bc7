import { Anchor, Group, Paper, Progress } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { HealthView } from '../../../../src/portal/wire/index.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';

const states = [
  { state: 'open', color: 'teal' },
  { state: 'connecting', color: 'yellow' },
  { state: 'close', color: 'gray.5' },
] as const;

/** How many numbers are in which state, each leading to their list. */
export function NumberStates({ numbers }: { readonly numbers: HealthView['numbers'] }) {
  const total = numbers.open + numbers.connecting + numbers.close;
  return (
    <Paper withBorder radius="lg" p="md">
      <Progress.Root size="lg" mb="sm" aria-hidden>
        {states.map(({ state, color }) => (
          <Progress.Section key={state} value={total === 0 ? 0 : (numbers[state] / total) * 100} color={color} />
        ))}
      </Progress.Root>
      <Group gap="lg">
        {states.map(({ state }) => (
          <Group key={state} gap={8} wrap="nowrap">
            <StatusBadge status={state} />
            <Anchor
              renderRoot={(props) => <Link to="/operator/numbers" search={{ status: state }} {...props} />}
              size="sm"
              aria-label={`Show these ${numbers[state]} numbers: ${state}`}
            >
              {numbers[state].toLocaleString()}
            </Anchor>
          </Group>
        ))}
      </Group>
    </Paper>
  );
}
