import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { accountDetailQuery, accountsQuery, providersQuery, usersQuery } from './queries.ts';

interface PlaceSelectProps {
  readonly value: string | null;
  onChange(id: string | null): void;
}

interface AccountSelectProps extends PlaceSelectProps {
  readonly label: string;
  /** Shown instead of a choice; with it, no choice is one too. */
  readonly placeholder?: string;
  readonly required?: boolean;
}

/** One of the accounts. The server looks for what is typed, so that all can be found however many there are. */
export function AccountSelect({ value, onChange, label, placeholder, required = false }: AccountSelectProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const chosen = useQuery({ ...accountDetailQuery(value ?? ''), enabled: value !== null });
  // What stands in the field after a choice is its name, which is no search.
  const { data } = useQuery(accountsQuery({ search: search === chosen.data?.name ? '' : search }));
  const options = (data?.accounts ?? []).map(({ account_id, name }) => ({ value: account_id, label: name }));
  if (chosen.data !== undefined && !options.some((option) => option.value === value)) {
    options.unshift({ value: chosen.data.account_id, label: chosen.data.name });
  }
  return (
    <Select
      label={label}
      placeholder={placeholder ?? 'Type to search'}
      data={options}
      value={value}
      onChange={onChange}
      searchable
      onSearchChange={setTyped}
      clearable={!required}
      clearButtonProps={{ 'aria-label': placeholder ?? 'No account' }}
      required={required}
      limit={50}
      nothingFoundMessage="No account fits"
      // In a dialog the list may be longer than the dialog; on the page it stays in its main part.
      {...(required ? {} : { maw: 360, comboboxProps: { withinPortal: false } })}
    />
  );
}

/** One of all providers, for operators. */
export function ProviderSelect({ value, onChange }: PlaceSelectProps) {
  const { data: providers = [] } = useQuery(providersQuery);
  const options = providers.map(({ provider_id, name }) => ({ value: provider_id, label: name }));
  return <Select label="Provider" placeholder="Choose one" data={options} value={value} onChange={onChange} searchable required />;
}

/** One of the providers that the person administers. Only the list of people tells their names to somebody who is no operator. */
export function AdministeredSelect({ value, onChange }: PlaceSelectProps) {
  const { user, memberships } = useSession();
  const { data } = useQuery(usersQuery({ search: user.email }));
  const named = data?.users.find(({ user_id }) => user_id === user.user_id)?.memberships ?? [];
  const options = memberships.flatMap(({ provider_id }) => {
    if (provider_id === null) return [];
    return [{ value: provider_id, label: named.find((one) => one.provider_id === provider_id)?.provider_name ?? 'Your provider' }];
  });
  return (
    <Select label="Provider" placeholder="Choose one" data={options} value={value} onChange={onChange} allowDeselect={false} required />
  );
}
