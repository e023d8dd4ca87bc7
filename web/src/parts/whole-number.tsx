import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { locale, t } from '../language/language.ts';
import { separators } from '../language/separators.ts';

interface WholeNumberProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  /** null: empty. */
  readonly value?: number | null;
  onChange?(value: number | null): void;
}

/** A field for a whole number within bounds; an empty one is none. */
export function WholeNumber({ value = null, onChange, ...field }: WholeNumberProps) {
  /** A number with zeros before it is told as it is written: whoever changes the first digit of 105 has 05 meanwhile. */
  const [written, setWritten] = useState<number | string>('');
  return (
    <NumberInput
      {...field}
      value={numberIn(written) === value ? written : (value ?? '')}
      onChange={(next) => {
        setWritten(next);
        onChange?.(numberIn(next));
      }}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="strict"
      {...separators(locale())}
    />
  );
}

function numberIn(written: number | string): number | null {
  return written === '' ? null : Number(written);
}

/** Says that a number is missing; null when it is there. */
export function numberMistake(value: number | null): string | null {
  return value === null ? t('Enter a number.') : null;
}
