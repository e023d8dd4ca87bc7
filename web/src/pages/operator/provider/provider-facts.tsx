import { Anchor, Paper, SimpleGrid, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ProviderDetail } from '../../../../../src/portal/wire/operator.ts';
import { call } from '../../../api/client.ts';
import { t } from '../../../language/language.ts';
import { Facts } from '../../../parts/facts.tsx';
import { Moment } from '../../../parts/moment.tsx';
import { ShownId } from '../../../parts/shown-id.tsx';
import { useChange } from '../../../parts/use-change.ts';
import { DefaultPlanSelect } from '../default-plan.tsx';
import { Capacity } from '../provider-capacity.tsx';

/** What a provider has, and what it may have. */
export function ProviderFacts({ provider }: { readonly provider: ProviderDetail }) {
  const { provider_id, accounts, numbers, created_at } = provider;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Paper withBorder radius="lg" px="md" py="xs">
        <Facts
          facts={[
            [
              t('Accounts'),
              <Anchor key="accounts" inherit renderRoot={(props) => <Link to="/operator/accounts" search={{ provider_id }} {...props} />}>
                {t('{{count}} accounts', { count: accounts, defaultValue_one: '{{count}} account' })}
              </Anchor>,
            ],
            [
              t('Numbers'),
              <Anchor key="numbers" inherit renderRoot={(props) => <Link to="/operator/numbers" search={{ provider_id }} {...props} />}>
                {t('{{count}} numbers', { count: numbers, defaultValue_one: '{{count}} number' })}
              </Anchor>,
            ],
            [t('Created', { context: 'provider' }), <Moment key="created" at={created_at} day size="sm" />],
            [t('Provider ID'), <ShownId key="id" id={provider_id} label={t('provider ID')} />],
          ]}
        />
      </Paper>
      <Stack gap="sm">
        <Capacity provider={provider} />
        <DefaultPlan provider={provider} />
      </Stack>
    </SimpleGrid>
  );
}

function DefaultPlan({ provider: { provider_id, default_plan_id } }: { readonly provider: ProviderDetail }) {
  const choose = (plan: string | null) =>
    call('PATCH /portal/api/operator/providers/:id', { params: { id: provider_id }, body: { default_plan: plan } });
  const save = useChange(choose, { said: () => t('The default plan is changed.'), back: () => () => choose(default_plan_id) });
  return (
    <DefaultPlanSelect
      value={default_plan_id}
      onChange={(plan) => save.mutate(plan)}
      disabled={save.isPending}
      error={save.error?.message}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
