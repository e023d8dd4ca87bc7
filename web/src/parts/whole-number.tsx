import { NumberInput, type NumberInputProps } from '@mantine/core';
import { locale, t } from '../language/language.ts';
import { separators } from '../language/separators.ts';

interface WholeNumberProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  /** null: empty. */
  readonly value?: number | null;
  onChange?(value: number | null): void;
}

/** A field for a whole number within bounds; an empty one is none. */
export function WholeNumber({ value, onChange, ...field }: WholeNumberProps) {
  return (
    <NumberInput
      {...field}
      value={value ?? ''}
      onChange={(typed) => onChange?.(typeof typed === 'number' ? typed : null)}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="strict"
      {...separators(locale())}
    />
  );
}

/** Says that a number is missing; null when it is there. */
export function numberMistake(value: number | null): string | null {
  return value === null ? t('Enter a number.') : null;
}
