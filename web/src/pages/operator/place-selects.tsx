import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../../language/language.ts';
import { accountDetailQuery, accountsQuery, useProviderNames } from './queries.ts';

interface PlaceSelectProps {
  readonly value?: string | null;
  /** What is wrong with the choice. */
  readonly error?: ReactNode;
  onChange(id: string | null): void;
}

interface AccountSelectProps extends PlaceSelectProps {
  readonly label: string;
  /** The text for "no choice"; with it the field may stay empty. */
  readonly placeholder?: string;
  readonly required?: boolean;
}

/** One of the accounts. The server looks for what is typed, so that all can be found however many there are. */
export function AccountSelect({ value = null, label, placeholder, required = false, ...field }: AccountSelectProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const chosen = useQuery({ ...accountDetailQuery(value ?? ''), enabled: value !== null });
  // After a choice the field holds its name, which is not a search.
  const { data } = useQuery(accountsQuery(search === chosen.data?.name ? '' : search));
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
      clearable={!required}
      allowDeselect={!required}
      clearButtonProps={{ 'aria-label': placeholder ?? t('No account') }}
      required={required}
      limit={50}
      nothingFoundMessage={t('No accounts match')}
      // In a dialog the list may be longer than the dialog; on the page it stays in its main part.
      {...(required ? {} : { maw: 360, comboboxProps: { withinPortal: false } })}
    />
  );
}

/** One of the providers this person runs. */
export function ProviderSelect(field: PlaceSelectProps) {
  const options = Object.entries(useProviderNames()).map(([id, name]) => ({ value: id, label: name }));
  return <Select {...field} label={t('Provider')} placeholder={t('Choose one')} data={options} allowDeselect={false} searchable required />;
}
