import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../../language/language.ts';
import { FilterSelect } from '../../parts/list/filter-select.tsx';
import { accountDetailQuery, accountsQuery, providerQuery, providersQuery } from './queries.ts';

interface PlaceSelectProps {
  readonly value?: string | null;
  /** What is wrong with the choice. */
  readonly error?: ReactNode;
  readonly disabled?: boolean;
  onChange(id: string | null): void;
}

interface AccountSelectProps extends PlaceSelectProps {
  readonly label: string;
  /** The text for "no choice"; with it the field may stay empty. */
  readonly placeholder?: string;
  readonly required?: boolean;
}

/** One of the accounts. The server looks for what is typed, so that all can be found however many there are; it is asked once the field is opened. */
export function AccountSelect({ value = null, label, placeholder, required = false, ...field }: AccountSelectProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const [opened, setOpened] = useState(false);
  const chosen = useQuery({ ...accountDetailQuery(value ?? ''), enabled: value !== null });
  // After a choice the field holds its name, which is not a search.
  const { data } = useQuery({ ...accountsQuery(search === chosen.data?.name ? '' : search), enabled: opened });
  const options = (data?.rows ?? []).map(({ account_id, name }) => ({ value: account_id, label: name }));
  if (chosen.data !== undefined && !options.some((option) => option.value === value)) {
    options.unshift({ value: chosen.data.account_id, label: chosen.data.name });
  }
  return (
    <Select
      {...field}
      label={label}
      placeholder={placeholder ?? t('Type to search')}
      data={options}
      value={value}
      searchable
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpened(true)}
      clearable={!required}
      allowDeselect={!required}
      clearButtonProps={{ 'aria-label': placeholder ?? t('No account') }}
      required={required}
      limit={50}
      nothingFoundMessage={data === undefined ? t('Loading') : t('No accounts match')}
      // In a dialog the list may be longer than the dialog; on the page it stays in its main part.
      {...(required ? {} : { maw: 360, comboboxProps: { withinPortal: false } })}
    />
  );
}

interface ProviderSelectProps extends PlaceSelectProps, Pick<SelectProps, 'label' | 'description' | 'placeholder'> {
  /** What no choice means; with it the field may stay empty. */
  readonly none?: string;
}

/** One of the providers this person runs. */
export function ProviderSelect({ none, ...field }: ProviderSelectProps) {
  const choices = useProviderChoices(field.value ?? null);
  return (
    <Select
      label={t('Provider')}
      placeholder={t('Choose one')}
      {...choices}
      {...field}
      {...(none === undefined ? { allowDeselect: false, required: true } : { clearable: true, clearButtonProps: { 'aria-label': none } })}
    />
  );
}

/** Narrows a list to the accounts of one provider; nothing for somebody who runs only one. */
export function ProviderFilter({ value, onChange }: { readonly value: string | undefined; onChange(id: string | undefined): void }) {
  const choices = useProviderChoices(value ?? null);
  if (!useSeveralProviders()) return null;
  return (
    <FilterSelect
      label={t('Provider')}
      all={t('All providers')}
      options={choices.data}
      value={value}
      onChange={onChange}
      searchable
      onSearchChange={choices.onSearchChange}
    />
  );
}

/** Whether this person runs more than one provider. */
export function useSeveralProviders(): boolean {
  const { data } = useQuery(providersQuery(''));
  return (data?.total ?? 0) > 1;
}

/** What a field offers: the server looks for what is typed, so that all can be found however many there are. */
function useProviderChoices(value: string | null) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const chosen = useQuery({ ...providerQuery(value ?? ''), enabled: value !== null });
  // After a choice the field holds its name, which is not a search.
  const { data } = useQuery(providersQuery(search === chosen.data?.name ? '' : search));
  const options = (data?.rows ?? []).map(({ provider_id, name }) => ({ value: provider_id, label: name }));
  if (chosen.data !== undefined && !options.some((option) => option.value === value))
    options.unshift({ value: chosen.data.provider_id, label: chosen.data.name });
  return { data: options, searchable: true, onSearchChange: setTyped, limit: 50, nothingFoundMessage: t('No providers match.') };
}
