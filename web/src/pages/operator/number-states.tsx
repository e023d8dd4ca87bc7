import { Anchor, Group, Paper, Progress, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { HealthView } from '../../../../src/portal/wire/operator.ts';
import { shownCount, t } from '../../language/language.ts';
import { StatusBadge, standingText, statusColor, statuses, statusText } from '../../parts/status-badge.tsx';

/** How many numbers are in which state, each leading to their list. */
export function NumberStates({ numbers }: { readonly numbers: HealthView['numbers'] }) {
  const total = numbers.open + numbers.connecting + numbers.close;
  return (
    <Paper withBorder radius="lg" p="md">
      <Progress.Root size="lg" mb="sm" aria-hidden>
        {statuses.map((state) => (
          <Progress.Section key={state} value={total === 0 ? 0 : (numbers[state] / total) * 100} color={statusColor(state)} />
        ))}
      </Progress.Root>
      <Group gap="lg">
        {statuses.map((state) => (
          <Group key={state} gap={8} wrap="nowrap">
            <StatusBadge status={state} />
            <Anchor
              renderRoot={(props) => <Link to="/operator/numbers" search={{ status: state }} {...props} />}
              size="sm"
              aria-label={showThese(numbers[state], statusText(state))}
            >
              {shownCount(numbers[state])}
            </Anchor>
          </Group>
        ))}
      </Group>
      <Text size="sm" mt="sm">
        {(['needs_person', 'never_linked'] as const).map((standing, place) => (
          <span key={standing}>
            {place > 0 && ' · '}
            {standingText(standing)}:{'\u00a0'}
            <Anchor
              underline="always"
              renderRoot={(props) => <Link to="/operator/numbers" search={{ standing }} {...props} />}
              inherit
              aria-label={showThese(numbers[standing], standingText(standing))}
            >
              {shownCount(numbers[standing])}
            </Anchor>
          </span>
        ))}
      </Text>
    </Paper>
  );
}

function showThese(count: number, state: string): string {
  return t('Show these {{count}} numbers: {{state}}', { count, state, defaultValue_one: 'Show this {{count}} number: {{state}}' });
}
