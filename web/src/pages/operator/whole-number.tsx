import { NumberInput } from '@mantine/core';

interface WholeNumberProps {
  readonly label: string;
  readonly description: string;
  /** null: empty. */
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
  readonly placeholder?: string;
  readonly required?: boolean;
  onChange(value: number | null): void;
}

/** A field for a whole number within bounds; an empty one is none. */
export function WholeNumber({ value, required = false, onChange, ...field }: WholeNumberProps) {
  return (
    <NumberInput
      {...field}
      value={value ?? ''}
      onChange={(typed) => onChange(typeof typed === 'number' ? typed : null)}
      required={required}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="strict"
      thousandSeparator
    />
  );
}
