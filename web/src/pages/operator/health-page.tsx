import { Alert, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { HealthView } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { HealthChecks } from './health-checks.tsx';
import { HealthFigures } from './health-figures.tsx';
import { NumberStates } from './number-states.tsx';
import { healthQuery } from './queries.ts';

/** The state of the gateway; refreshes itself. */
export default function HealthPage() {
  const health = useQuery(healthQuery);
  return (
    <>
      <PageHeader title={t('Health')} text={t('How this gateway is doing, checked every 5 seconds.')} />
      <Answered query={health} loading={<Loading />}>
        {(found) => (
          <Stack gap="xl">
            {/* Old figures do not say how the gateway is now. */}
            {health.error === null && <Overall health={found} />}
            <HealthFigures health={found} />
            <Section title={t('Numbers')}>
              <NumberStates numbers={found.numbers} />
            </Section>
            <Section title={t('Checks')}>
              <HealthChecks checks={found.checks} />
            </Section>
          </Stack>
        )}
      </Answered>
    </>
  );
}

function Overall({ health: { checks } }: { readonly health: HealthView }) {
  const failed = checks.filter(({ state }) => state === 'fail').length;
  const doubtful = checks.filter(({ state }) => state === 'warn').length;
  if (failed > 0) {
    return (
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('Something needs fixing')} role="status">
        {t('{{count}} checks fail. See below for what to do.', {
          count: failed,
          defaultValue_one: 'One check fails. See below for what to do.',
        })}
      </Alert>
    );
  }
  if (doubtful > 0) {
    return (
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={t('Working, with something to look at')} role="status">
        {t('{{count}} checks have warnings. See below for what to do.', {
          count: doubtful,
          defaultValue_one: 'One check has a warning. See below for what to do.',
        })}
      </Alert>
    );
  }
  return (
    <Alert color="teal" icon={<IconCircleCheck aria-hidden />} title={t('Everything works')} role="status">
      {t('All checks pass.')}
    </Alert>
  );
}

function Loading() {
  return (
    <Stack gap="xl" role="status" aria-label={t('Loading the health of the gateway')}>
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
