import { Box, Group, Paper, SimpleGrid, Text } from '@mantine/core';
import { IconClock, IconCpu, IconDatabase, IconGauge } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { HealthView } from '../../../../src/portal/wire/operator.ts';
import { listed, shownCount, Trans, t } from '../../language/language.ts';
import { Moment } from '../../parts/moment.tsx';
import { networkName } from '../../parts/number-words.ts';

/** Callers notice delays of this length. */
const slowStoreMs = 100;
const slowLoopMs = 200;

/** What is measured: the database, the process, and how long it runs. */
export function HealthFigures({ health }: { readonly health: HealthView }) {
  const { store, event_loop, memory, started_at, version, networks } = health;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      <Figure icon={<IconDatabase size={18} />} name={t('Database')} value={store.ok ? shownMs(store.latency_ms) : t('Unavailable')}>
        {aboutStore(store)}
      </Figure>
      <Figure icon={<IconGauge size={18} />} name={t('Event-loop delay')} value={shownMs(event_loop.p99_ms)}>
        {t('99% of tasks waited no longer than this, half of them at most {{time}}.', { time: shownMs(event_loop.p50_ms) })}{' '}
        {event_loop.p99_ms < slowLoopMs ? t('Fast enough.') : t('Callers notice this.')}
      </Figure>
      <Figure icon={<IconCpu size={18} />} name={t('Memory')} value={shownBytes(memory.rss_bytes)}>
        {t('{{size}} of it in its own heap', { size: shownBytes(memory.heap_used_bytes) })}
      </Figure>
      <Figure icon={<IconClock size={18} />} name={t('Running for')} value={shownSpan(Date.now() - Date.parse(started_at))}>
        <Trans
          i18nKey="version {{version}}, since <when/>; {{networks}}"
          values={{ version, networks: listed(networks.map(networkName)) }}
          components={{ when: <Moment at={started_at} span inherit /> }}
        />
      </Figure>
    </SimpleGrid>
  );
}

interface FigureProps {
  readonly icon: ReactNode;
  readonly name: string;
  readonly value: string;
  readonly children: ReactNode;
}

function Figure({ icon, name, value, children }: FigureProps) {
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-label={name}>
      <Group gap={6} c="dimmed" wrap="nowrap" align="flex-start" aria-hidden>
        <Box component="span" flex="none" display="flex">
          {icon}
        </Box>
        <Text size="sm">{name}</Text>
      </Group>
      <Text size="xl" fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {children}
      </Text>
    </Paper>
  );
}

function aboutStore({ dialect, ok, latency_ms }: HealthView['store']): string {
  const database = dialect === 'sqlite' ? t('Embedded SQLite') : 'PostgreSQL';
  // It is tried by writing.
  if (!ok) return t('{{database}}, writes fail', { database });
  return latency_ms < slowStoreMs ? t('{{database}}, answers fast', { database }) : t('{{database}}, answers slowly', { database });
}

function shownMs(ms: number): string {
  return `${shownCount(ms, ms < 10 ? 1 : 0)} ms`;
}

function shownBytes(bytes: number): string {
  return `${shownCount(bytes / 1_048_576, 0)} MiB`;
}

function shownSpan(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const hours = Math.floor(minutes / 60);
  if (minutes < 1) return t('Under a minute');
  if (hours < 1) return t('{{count}} minutes', { count: minutes, defaultValue_one: '{{count}} minute' });
  if (hours < 48) return t('{{hours}} h {{minutes}} min', { hours, minutes: minutes % 60 });
  return t('{{count}} days', { count: Math.floor(hours / 24), defaultValue_one: '{{count}} day' });
}
