import { Group, Paper, SimpleGrid, Text } from '@mantine/core';
import { IconClock, IconCpu, IconDatabase, IconGauge } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { HealthView } from '../../../../src/portal/wire/index.ts';
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
      <Figure icon={<IconDatabase size={18} />} name="Database" value={store.ok ? shownMs(store.latency_ms) : 'Unavailable'}>
        {store.dialect === 'sqlite' ? 'Embedded SQLite' : 'PostgreSQL'}, {rated(store.ok, store.latency_ms < slowStoreMs)}
      </Figure>
      <Figure icon={<IconGauge size={18} />} name="Event-loop delay" value={shownMs(event_loop.p99_ms)}>
        99% of tasks waited no longer than this, half of them at most {shownMs(event_loop.p50_ms)}.{' '}
        {event_loop.p99_ms < slowLoopMs ? 'Fast enough.' : 'Callers notice this.'}
      </Figure>
      <Figure icon={<IconCpu size={18} />} name="Memory" value={shownBytes(memory.rss_bytes)}>
        {shownBytes(memory.heap_used_bytes)} of it in its own heap
      </Figure>
      <Figure icon={<IconClock size={18} />} name="Running for" value={shownSpan(Date.now() - Date.parse(started_at))}>
        version {version}, since <Moment at={started_at} span inherit />; {networks.map(networkName).join(' and ')}
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
      <Group gap={6} c="dimmed" aria-hidden>
        {icon}
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

function rated(ok: boolean, fast: boolean): string {
  if (!ok) return 'it does not answer';
  return fast ? 'answers fast' : 'answers slowly';
}

function shownMs(ms: number): string {
  return `${ms.toLocaleString(undefined, { maximumFractionDigits: ms < 10 ? 1 : 0 })} ms`;
}

function shownBytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576).toLocaleString()} MiB`;
}

function shownSpan(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const hours = Math.floor(minutes / 60);
  if (minutes < 1) return 'Under a minute';
  if (hours < 1) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}
