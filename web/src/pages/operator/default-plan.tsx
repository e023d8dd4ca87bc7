import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../language/language.ts';
import { planOption } from './plan-option.ts';
import { plansQuery, providerQuery } from './queries.ts';

/** The plan that new accounts of a provider begin with, its id; null: none, or it is not known yet. */
export function useDefaultPlan(providerId: string | null): string | null {
  const { data: provider } = useQuery({ ...providerQuery(providerId ?? ''), enabled: providerId !== null });
  const { data: plans = [] } = useQuery(plansQuery);
  return provider?.default_plan_id ?? plans.find(({ is_default }) => is_default)?.plan_id ?? null;
}

/** Chooses the default plan of a provider; without one the installation's holds. */
export function DefaultPlanSelect(field: Omit<SelectProps, 'data' | 'label'>) {
  const { data: plans = [] } = useQuery(plansQuery);
  const usual = plans.find(({ is_default }) => is_default);
  return (
    <Select
      label={t('Default plan')}
      description={t('Proposed for new accounts.')}
      placeholder={usual === undefined ? t('None') : t('{{name}}, as for all providers', { name: usual.name })}
      data={plans.map(planOption)}
      clearable
      clearButtonProps={{ 'aria-label': t('No default plan') }}
      {...field}
    />
  );
}
