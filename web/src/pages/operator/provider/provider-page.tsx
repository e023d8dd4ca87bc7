import { Button, Stack } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ProviderBrand, ProviderView } from '../../../../../src/portal/wire/index.ts';
import { call } from '../../../api/client.ts';
import { t } from '../../../language/language.ts';
import { Answered } from '../../../parts/answered.tsx';
import { ListLoading } from '../../../parts/list-parts.tsx';
import { PageHeader } from '../../../parts/page-header.tsx';
import { useChange } from '../../../parts/use-change.ts';
import { rolesOf, useSession } from '../../../session/session.ts';
import { DefaultPlanSelect } from '../default-plan.tsx';
import { Capacity } from '../provider-capacity.tsx';
import { providerQuery } from '../queries.ts';
import { Section } from '../section.tsx';
import { BaseAddress } from './base-address.tsx';
import { BrandForm } from './brand-form.tsx';
import { Logo } from './logo.tsx';
import { brandQuery } from './queries.ts';

/** One provider: its limit, its default plan, and how it shows itself to its customers. */
export default function ProviderPage() {
  const { providerId } = useParams({ from: '/signed-in/operator/providers/$providerId' });
  const { operator } = rolesOf(useSession());
  const { data: provider } = useQuery(providerQuery(providerId));
  const brand = useQuery(brandQuery(providerId));
  return (
    <>
      {operator && (
        <Button
          renderRoot={(props) => <Link to="/operator/providers" {...props} />}
          variant="subtle"
          size="compact-sm"
          mb="xs"
          leftSection={<IconArrowLeft size={16} aria-hidden />}
        >
          {t('All providers')}
        </Button>
      )}
      <PageHeader
        title={provider?.name ?? t('Provider')}
        text={t('How it appears to its customers, and what their accounts start with.')}
      />
      <Answered query={brand} loading={<ListLoading label={t('Loading the provider')} />}>
        {(found) => (
          <Stack gap="xl">
            {provider !== undefined && <Terms provider={provider} />}
            <Brand brand={found} />
          </Stack>
        )}
      </Answered>
    </>
  );
}

function Terms({ provider }: { readonly provider: ProviderView }) {
  const save = useChange(
    (plan: string | null) =>
      call<ProviderView>(`/portal/api/operator/providers/${encodeURIComponent(provider.provider_id)}`, {
        method: 'PATCH',
        body: { default_plan: plan },
      }),
    { said: () => t('The default plan is changed.') },
  );
  return (
    <Section title={t('Numbers and plan')}>
      <Stack gap="sm" maw={480}>
        <Capacity provider={provider} />
        <DefaultPlanSelect
          value={provider.default_plan_id}
          onChange={(plan) => save.mutate(plan)}
          disabled={save.isPending}
          error={save.error?.message}
          comboboxProps={{ withinPortal: false }}
        />
      </Stack>
    </Section>
  );
}

function Brand({ brand }: { readonly brand: ProviderBrand }) {
  return (
    <>
      <Section title={t('Brand')}>
        <BrandForm key={brand.provider_id} brand={brand} />
      </Section>
      <Section title={t('Logo')}>
        <Logo brand={brand} />
      </Section>
      <Section title={t('Base address')}>
        <BaseAddress key={`${brand.base_address}`} brand={brand} />
      </Section>
    </>
  );
}
