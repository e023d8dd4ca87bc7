import { Anchor, Group, Paper, Progress, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ProviderView } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import { rolesOf, useSession } from '../../session/session.ts';
import { providersQuery } from './queries.ts';

/** How much of their limits the providers have used that this person runs; nothing for operators, who have a page of them. */
export function OwnCapacity() {
  const { operator } = rolesOf(useSession());
  const { data } = useQuery({ ...providersQuery(''), enabled: !operator });
  if (operator) return null;
  return (
    <Group gap="sm">
      {data?.rows.map((provider) => (
        <Anchor
          key={provider.provider_id}
          underline="never"
          c="inherit"
          maw="100%"
          renderRoot={(props) => <Link to="/operator/providers/$providerId" params={{ providerId: provider.provider_id }} {...props} />}
        >
          <Capacity provider={provider} />
        </Anchor>
      ))}
    </Group>
  );
}

/** The numbers of a provider's accounts against its limit. */
export function Capacity({ provider: { name, numbers, number_capacity: most } }: { readonly provider: ProviderView }) {
  const text =
    most === null
      ? t('{{count}} numbers, no limit', { count: numbers, defaultValue_one: '{{count}} number, no limit' })
      : t('{{used}} of {{count}} numbers', { used: numbers, count: most, defaultValue_one: '{{used}} of {{count}} number' });
  return (
    <Paper withBorder radius="md" px="md" py="xs" miw={240} component="section" aria-label={t('Numbers of {{name}}', { name })}>
      <Stack gap={6}>
        <Group justify="space-between" gap="lg" style={{ rowGap: 0 }}>
          <Text size="sm" fw={600} truncate maw="100%">
            {name}
            <VisuallyHidden>: </VisuallyHidden>
          </Text>
          <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {text}
          </Text>
        </Group>
        {most !== null && (
          <Progress
            value={most === 0 ? 100 : Math.min(100, (numbers / most) * 100)}
            color={numbers >= most ? 'red' : numbers >= most * 0.9 ? 'orange' : 'teal'}
            aria-label={text}
          />
        )}
      </Stack>
    </Paper>
  );
}
