import { useQuery } from '@tanstack/react-query';
import { t } from '../../../language/language.ts';
import { Answered } from '../../../parts/answered.tsx';
import { ListLoading } from '../../../parts/list-parts.tsx';
import { Section } from '../../../parts/section.tsx';
import { BaseAddress } from './base-address.tsx';
import { BrandForm } from './brand-form.tsx';
import { Logo } from './logo.tsx';
import { brandQuery } from './queries.ts';

/** How a provider shows itself to its customers. */
export function ProviderBrandParts({ providerId }: { readonly providerId: string }) {
  const brand = useQuery(brandQuery(providerId));
  return (
    <Answered query={brand} loading={<ListLoading label={t('Loading the brand')} />}>
      {(found) => (
        <>
          <Section title={t('Brand')}>
            <BrandForm key={found.provider_id} brand={found} />
          </Section>
          <Section title={t('Logo')}>
            <Logo brand={found} />
          </Section>
          <Section title={t('Base address')}>
            <BaseAddress key={`${found.base_address}`} brand={found} />
          </Section>
        </>
      )}
    </Answered>
  );
}
