import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { locale, t } from '../../language/language.ts';
import classes from './day-field.module.css';
import { dayPattern, readDay, writtenDay } from './day-text.ts';

interface DayFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'max'> {
  /** YYYY-MM-DD; empty: none. */
  readonly value: string;
  /** The last day that the calendar offers. */
  readonly max?: string;
  onChange(day: string): void;
}

/** A day, written as in the page's language. The browser's own field would follow the browser's language, so only its calendar is used. */
export function DayField({ value, max = '9999-12-31', onChange, error, onBlur, ...field }: DayFieldProps) {
  /** What is being typed; null: nothing. */
  const [typed, setTyped] = useState<string | null>(null);
  const calendar = useRef<HTMLInputElement>(null);
  const unreadable = typed !== null && readDay(typed, locale()) === null;
  const type = (text: string) => {
    setTyped(text);
    const day = readDay(text, locale());
    if (day !== null && day !== value) onChange(day);
  };
  return (
    <TextInput
      placeholder={dayPattern(locale())}
      {...field}
      inputMode="numeric"
      autoComplete="off"
      value={typed ?? writtenDay(value, locale())}
      error={error || unreadable}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={(event) => {
        // What is not understood does not stay: the field shows what counts.
        setTyped(null);
        onBlur?.(event);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && unreadable) event.preventDefault();
      }}
      leftSection={
        <>
          <input
            ref={calendar}
            type="date"
            className={classes.calendar}
            tabIndex={-1}
            aria-hidden
            value={value}
            max={max}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t('Open the calendar')}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={16} aria-hidden />
          </ActionIcon>
        </>
      }
      leftSectionPointerEvents="all"
    />
  );
}
