import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
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
  /** Whether its form was to be sent with a text that is no day. */
  const [refused, setRefused] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const calendar = useRef<HTMLInputElement>(null);
  const written = field.disabled === true ? null : typed;
  const unreadable = written !== null && readDay(written, locale()) === null;
  // Without the day it would be sent as if nobody had written one: an account would have no end.
  useEffect(() => {
    const { current: place } = input;
    const form = place?.form ?? null;
    if (!unreadable || place === null || form === null) return;
    const refuse = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      setRefused(true);
      place.focus();
    };
    form.addEventListener('submit', refuse);
    return () => form.removeEventListener('submit', refuse);
  }, [unreadable]);
  // Another day, such as one of the calendar, takes the place of what is not understood.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each day.
  useEffect(() => setTyped((text) => (text !== null && readDay(text, locale()) === null ? null : text)), [value]);
  const type = (text: string) => {
    setTyped(text);
    setRefused(false);
    const day = readDay(text, locale());
    if (day !== null && day !== value) onChange(day);
  };
  return (
    <TextInput
      placeholder={dayPattern(locale())}
      {...field}
      ref={input}
      inputMode="numeric"
      autoComplete="off"
      value={written ?? writtenDay(value, locale())}
      error={error || (unreadable && (!refused || t('Write the day as in {{pattern}}.', { pattern: dayPattern(locale()) })))}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={(event) => {
        // What is not understood stays only where it keeps a form from being sent; elsewhere the field shows what counts.
        if (!unreadable || event.currentTarget.form === null) setTyped(null);
        onBlur?.(event);
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
