import { Paper, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { Instance } from '../../api/contract.ts';
import { t } from '../../language/language.ts';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { nameOf } from '../../parts/number-words.ts';
import { NumberRow } from './number-row.tsx';
import classes from './numbers.module.css';
import type { Question } from './use-number-dialogs.ts';

/** The search field is shown from this many numbers on. */
const searchFrom = 9;

interface NumberListProps {
  readonly numbers: readonly Instance[];
  /** Nothing can be done with them. */
  readonly readOnly: boolean;
  onLink(id: string): void;
  onAsk(question: Question, number: Instance): void;
}

/** One row per number, on a phone one card. */
export function NumberList({ numbers, readOnly, onLink, onAsk }: NumberListProps) {
  const [search, setSearch] = useState('');
  const found = numbers.filter((one) => matches(one, search));
  return (
    <>
      {numbers.length >= searchFrom && (
        <TextInput
          type="search"
          aria-label={t('Find a number')}
          placeholder={t('Find by name, digits or ID')}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          maw={360}
        />
      )}
      <Paper withBorder radius="lg">
        <ul className={classes.list} aria-label={t('Numbers')}>
          {found.map((number) => (
            <NumberRow key={number.instance_id} number={number} readOnly={readOnly} onLink={onLink} onAsk={onAsk} />
          ))}
        </ul>
        {found.length === 0 && <NothingFits>{t('No number matches “{{search}}”.', { search })}</NothingFits>}
      </Paper>
    </>
  );
}

function matches(number: Instance, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  const digits = wanted.replaceAll(/[\s()+-]/g, '');
  if (nameOf(number).toLowerCase().includes(wanted) || number.instance_id.startsWith(wanted)) return true;
  return digits !== '' && number.phone_number?.includes(digits) === true;
}
