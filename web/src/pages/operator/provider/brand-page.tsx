import { Stack } from '@mantine/core';
import { IconBuildingOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { t } from '../../../language/language.ts';
import { Back } from '../../../parts/back.tsx';
import { ListLoading } from '../../../parts/list-parts.tsx';
import { ObjectPage } from '../../../parts/object-page.tsx';
import { Section } from '../../../parts/section.tsx';
import { providerQuery } from '../queries.ts';
import { BaseAddress } from './base-address.tsx';
import { BrandForm } from './brand-form.tsx';
import { Logo } from './logo.tsx';
import { brandQuery } from './queries.ts';

/** How a provider shows itself to its customers. */
export default function BrandPage() {
  const { providerId } = useParams({ from: '/signed-in/operator/providers/$providerId/brand' });
  const name = useQuery(providerQuery(providerId)).data?.name;
  return (
    <ObjectPage
      back={
        <Back to="/operator/providers/$providerId" params={{ providerId }}>
          {name ?? t('Provider')}
        </Back>
      }
      query={useQuery(brandQuery(providerId))}
      title={t('Brand')}
      titleOf={() => (name === undefined ? t('Brand') : t('Brand of {{name}}', { name }))}
      textOf={() => t("What the provider's customers see in place of the gateway's own name and looks.")}
      missing={{
        icon: <IconBuildingOff size={28} />,
        title: t('No such provider'),
        text: t('There is none with this ID in what you run.'),
      }}
      loading={<ListLoading label={t('Loading the brand')} />}
    >
      {(brand) => (
        <Stack gap="xl">
          <Section title={t('Name, colour and e-mails')}>
            <BrandForm key={brand.provider_id} brand={brand} />
          </Section>
          <Section title={t('Logo')}>
            <Logo brand={brand} />
          </Section>
          <Section title={t('Base address')}>
            <BaseAddress key={brand.provider_id} brand={brand} />
          </Section>
        </Stack>
      )}
    </ObjectPage>
  );
}
