import { Alert, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { HealthView } from '../../../../src/portal/wire/index.ts';
import { Answered } from '../../parts/answered.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { HealthChecks } from './health-checks.tsx';
import { HealthFigures } from './health-figures.tsx';
import { NumberStates } from './number-states.tsx';
import { healthQuery } from './queries.ts';
import { Section } from './section.tsx';

/** The state of the gateway; refreshes itself. */
export default function HealthPage() {
  const health = useQuery(healthQuery);
  return (
    <>
      <PageHeader title="Health" text="How this gateway is doing, checked every 5 seconds." />
      <Answered query={health} loading={<Loading />}>
        {(found) => (
          <Stack gap="xl">
            {/* Old figures do not say how the gateway is now. */}
            {health.error === null && <Overall health={found} />}
            <HealthFigures health={found} />
            <Section title="Numbers">
              <NumberStates numbers={found.numbers} />
            </Section>
            <Section title="Checks">
              <HealthChecks checks={found.checks} />
            </Section>
          </Stack>
        )}
      </Answered>
    </>
  );
}

function Overall({ health: { store, checks } }: { readonly health: HealthView }) {
  const failed = checks.filter(({ state }) => state === 'fail').length + (store.ok ? 0 : 1);
  const doubtful = checks.filter(({ state }) => state === 'warn').length;
  if (failed > 0) {
    return (
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Something needs fixing" role="status">
        {failed === 1 ? 'One check fails.' : `${failed} checks fail.`} See below for what to do.
      </Alert>
    );
  }
  if (doubtful > 0) {
    return (
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="Working, with something to look at" role="status">
        {doubtful === 1 ? 'One check has a warning.' : `${doubtful} checks have warnings.`} See below for what to do.
      </Alert>
    );
  }
  return (
    <Alert color="teal" icon={<IconCircleCheck aria-hidden />} title="Everything works" role="status">
      All checks pass.
    </Alert>
  );
}

function Loading() {
  return (
    <Stack gap="xl" role="status" aria-label="Loading the health of the gateway">
      <Skeleton h={74} radius="md" />
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        {['store', 'loop', 'memory', 'time'].map((figure) => (
          <Skeleton key={figure} h={112} radius="lg" />
        ))}
      </SimpleGrid>
      <Skeleton h={90} radius="lg" />
      <Skeleton h={220} radius="lg" />
    </Stack>
  );
}
