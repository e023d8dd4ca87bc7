import { Button, Group, Select, type SelectProps, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { normalisePhoneNumber } from '../../../../src/core/phone-number.ts';
import type { Instance } from '../../api/contract.ts';
import { isMissing } from '../../api/is-missing.ts';
import { kindsQuery } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { keyName, keyQuery } from '../../parts/keys/keys.ts';
import { kindName } from '../../parts/kind.tsx';
import { FilterChip } from '../../parts/list/filter-chip.tsx';
import { nameOf } from '../../parts/number-words.ts';
import type { ActivityFilter } from '../../parts/sends/activity-query.ts';
import { ends } from '../../parts/sends/ends.ts';
import { failureWords, sendFailures } from '../../parts/sends/failure-words.ts';
import { shownHour } from '../../parts/shown-moment.ts';
import { DayField } from '../../parts/time/day-field.tsx';
import { useAccountId } from '../../session/session.ts';
import classes from './activity.module.css';

interface ActivityFiltersProps {
  readonly filter: ActivityFilter;
  readonly numbers: readonly Instance[];
  onChange(filter: ActivityFilter): void;
}

/** Which sends are listed: by number, kind, outcome, recipient and day. */
export function ActivityFilters({ filter, numbers, onChange }: ActivityFiltersProps) {
  const { data: kinds = [] } = useQuery(kindsQuery);
  const change = (name: keyof ActivityFilter, value: string | number | null) => {
    const { [name]: _, ...others } = filter;
    onChange(value === null ? others : { ...others, [name]: value });
  };
  /** An hour says from when and until when, so it goes when days are chosen. */
  const changeDay = (name: 'from' | 'to', day: string) => {
    const { hour, [name]: _, ...others } = filter;
    onChange(day === '' ? others : { ...others, [name]: day });
  };
  const [cleared, setCleared] = useState(0);
  const clear = () => {
    // The text in the recipient field goes with it.
    setCleared(cleared + 1);
    onChange({});
  };
  const types = kinds.map(({ type }) => ({ value: type, label: kindName(type) }));
  const ids = numbers.map((number) => ({ value: number.instance_id, label: nameOf(number) }));
  return (
    <search className={classes.filters} aria-label={t('Filters')}>
      <Choice
        aria-label={t('Number')}
        placeholder={t('Every number')}
        data={withChosen(ids, filter.instance_id, t('A deleted number'))}
        value={filter.instance_id ?? null}
        onChange={(value) => change('instance_id', value)}
      />
      <Choice
        aria-label={t('Kind')}
        placeholder={t('Every kind')}
        data={withChosen(types, filter.type, kindName(filter.type ?? ''))}
        value={filter.type ?? null}
        onChange={(value) => change('type', value)}
      />
      <Choice
        aria-label={t('Outcome')}
        placeholder={t('Every outcome')}
        data={[
          { group: t('Outcome'), items: outcomes(filter.outcome) },
          { group: t('Failed because'), items: sendFailures.map(({ code, short }) => ({ value: code, label: short })) },
        ]}
        value={filter.outcome ?? null}
        onChange={(value) => change('outcome', value)}
      />
      <RecipientFilter key={cleared} recipient={filter.recipient} onChange={(value) => change('recipient', value)} />
      <DayField aria-label={t('From')} placeholder={t('From')} value={filter.from ?? ''} onChange={(from) => changeDay('from', from)} />
      <DayField aria-label={t('Before')} placeholder={t('Before')} value={filter.to ?? ''} onChange={(to) => changeDay('to', to)} />
      {Object.keys(filter).length > 0 && (
        <Button variant="subtle" justify="flex-start" leftSection={<IconX size={16} aria-hidden />} onClick={clear}>
          {t('Clear filters')}
        </Button>
      )}
      {(filter.key_id !== undefined || filter.hour !== undefined) && (
        <Group gap="sm" className={classes.below}>
          {filter.key_id !== undefined && <KeyFilter keyId={filter.key_id} onRemove={() => change('key_id', null)} />}
          {filter.hour !== undefined && <FilterChip onRemove={() => change('hour', null)}>{shownHour(filter.hour)}</FilterChip>}
        </Group>
      )}
    </search>
  );
}

/** A choice whose dropdown stays inside the page, for people who hear it; the box around it keeps its place while that is open. */
function Choice(props: SelectProps) {
  return (
    <div>
      <Select
        {...props}
        clearable
        withScrollArea={false}
        comboboxProps={{ withinPortal: false }}
        styles={{ options: { maxHeight: 300, overflowY: 'auto' } }}
      />
    </div>
  );
}

/** The key that a link to its sends asked for. */
function KeyFilter({ keyId, onRemove }: { readonly keyId: string; onRemove(): void }) {
  const { data: key, error } = useQuery(keyQuery(useAccountId(), keyId));
  const name = key === undefined ? keyId.slice(0, 8) : keyName(key);
  return <FilterChip onRemove={onRemove}>{isMissing(error) ? t('An unknown key') : t('Key: {{name}}', { name })}</FilterChip>;
}

interface RecipientFilterProps {
  readonly recipient: number | undefined;
  onChange(recipient: number | null): void;
}

function RecipientFilter({ recipient, onChange }: RecipientFilterProps) {
  const [text, setText] = useState(shownRecipient(recipient));
  const told = useRef(recipient);
  // The recipient also changes from outside, such as by a link or the browser's back button.
  useEffect(() => {
    if (recipient === told.current) return;
    told.current = recipient;
    setText(shownRecipient(recipient));
  }, [recipient]);
  const apply = useDebouncedCallback((digits: number | null) => {
    told.current = digits ?? undefined;
    onChange(digits);
  }, 400);
  const write = (next: string) => {
    setText(next);
    const digits = normalisePhoneNumber(next);
    // A text that cannot be searched for is marked as such, and the former search is cleared.
    apply(digits === null ? null : Number(digits));
  };
  return (
    <TextInput
      type="search"
      aria-label={t('Recipient')}
      placeholder={t('Every recipient')}
      inputMode="tel"
      autoComplete="off"
      value={text}
      error={
        text.trim() === '' || normalisePhoneNumber(text) !== null
          ? undefined
          : t('Not applied: enter the whole number with its country code')
      }
      onChange={(event) => write(event.currentTarget.value)}
    />
  );
}

function shownRecipient(recipient: number | undefined): string {
  return recipient === undefined ? '' : `+${recipient}`;
}

function outcomes(chosen: string | undefined): Option[] {
  const usual: Option[] = [
    ...ends.map(({ outcome, name }) => ({ value: outcome, label: name })),
    { value: 'failed', label: t('Refused or failed') },
  ];
  const known = chosen === undefined || usual.some(({ value }) => value === chosen) || sendFailures.some(({ code }) => code === chosen);
  return known ? usual : [...usual, { value: chosen, label: failureWords(chosen).short }];
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The address may name an option that no longer exists. */
function withChosen(options: Option[], chosen: string | undefined, label: string): Option[] {
  return chosen === undefined || options.some(({ value }) => value === chosen) ? options : [...options, { value: chosen, label }];
}
