import { Chip, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../language/language.ts';
import { FilterChip } from '../../parts/list/filter-chip.tsx';
import { FilterSelect } from '../../parts/list/filter-select.tsx';
import type { List } from '../../parts/list/use-list.ts';
import { SearchField } from '../../parts/search-field.tsx';
import { ends } from '../../parts/sends/ends.ts';
import { shownHour } from '../../parts/shown-moment.ts';
import { ProviderFilter } from './place-selects.tsx';
import { plansQuery } from './queries.ts';

export function AccountFilters({ list: { search, find, narrow } }: { readonly list: List<unknown> }) {
  const { data: plans = [] } = useQuery(plansQuery);
  const end = ends.find(({ outcome }) => outcome === search.outcome);
  return (
    <Group gap="sm">
      <SearchField {...find} label={t('Find an account')} placeholder={t('Find by name or ID')} />
      <FilterSelect
        label={t('State')}
        all={t('All states')}
        options={[
          { value: 'active', label: t('Active') },
          { value: 'suspended', label: t('Suspended') },
          { value: 'ended', label: t('Ended') },
          { value: 'no_plan', label: t('No plan') },
          { value: 'trial_nearly_used', label: t('Trial nearly used up') },
          { value: 'trial_used_up', label: t('Trial used up') },
        ]}
        value={search.state}
        onChange={(state) => narrow({ state })}
      />
      <FilterSelect
        label={t('Plan')}
        all={t('All plans')}
        options={plans.map(({ plan_id, name }) => ({ value: plan_id, label: name }))}
        value={search.plan}
        onChange={(plan) => narrow({ plan })}
      />
      <ProviderFilter value={search.provider_id} onChange={(provider_id) => narrow({ provider_id })} />
      <FilterSelect
        label={t('Ends')}
        all={t('Any end')}
        options={[
          { value: '7', label: t('Ending within a week') },
          { value: '30', label: t('Ending within 30 days') },
          { value: '90', label: t('Ending within 90 days') },
        ]}
        value={search.ends_within}
        onChange={(ends_within) => narrow({ ends_within })}
      />
      <FilterSelect
        label={t('Sends of the last 24 hours')}
        all={t('Any sends')}
        options={[
          { value: 'failing', label: t('Some failed') },
          { value: 'busy', label: t('Unusually busy') },
        ]}
        value={search.sends}
        onChange={(sends) => narrow({ sends, hour: undefined, outcome: undefined })}
      />
      {search.hour !== undefined && (
        <FilterChip onRemove={() => narrow({ hour: undefined, outcome: undefined })}>
          {end === undefined
            ? t('Sends of {{hour}}', { hour: shownHour(search.hour) })
            : t('Sends of {{hour}}: {{outcome}}', { hour: shownHour(search.hour), outcome: end.name })}
        </FilterChip>
      )}
      <Chip
        size="sm"
        radius="md"
        variant="outline"
        checked={search.needs_person === '1'}
        onChange={(on) => narrow({ needs_person: on ? '1' : undefined })}
      >
        {t('Has numbers that need a person')}
      </Chip>
    </Group>
  );
}
