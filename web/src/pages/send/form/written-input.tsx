import { JsonInput, NumberInput, Select, Text, Textarea, TextInput } from '@mantine/core';
import { shownCount, t } from '../../../language/language.ts';
import type { WrittenEntry } from './entry.ts';
import type { EntryInputProps } from './entry-input.tsx';
import { characters } from './labels.ts';
import { useProblem } from './problems.tsx';
import type { TextField } from './schema.ts';

/** Texts that may be longer than this get several lines. */
export const longTextFrom = 300;

const inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

interface WrittenInputProps extends EntryInputProps<WrittenEntry> {
  /** The label is for screen readers only, because the list around the field shows it. */
  readonly bare?: boolean;
}

/** The control of a simple value: a text, a number, a choice or JSON. */
export function WrittenInput({ entry, path, label, required, bare = false, onChange }: WrittenInputProps) {
  const { problem, changed } = useProblem(path);
  const write = (text: string) => {
    changed();
    onChange({ ...entry, text });
  };
  const { field, text } = entry;
  const words = bare ? { 'aria-label': label, placeholder: label } : { label, description: field.description, withAsterisk: required };
  // Descriptions stand below the fields, so that fields on one line are aligned.
  const common = { ...words, required, error: problem, inputWrapperOrder };
  switch (field.control) {
    case 'text':
      return <TextControl {...common} field={field} text={text} onWrite={write} />;
    case 'number':
      return (
        <NumberInput
          {...common}
          value={text}
          onChange={(value) => write(String(value))}
          allowDecimal={!field.integer}
          {...(field.min === null ? {} : { min: field.min })}
          {...(field.max === null ? {} : { max: field.max })}
          {...(field.usual === null ? {} : { placeholder: String(field.usual) })}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          data={field.values.map(String)}
          value={text === '' ? null : text}
          onChange={(value) => write(value ?? '')}
          clearable={!required}
        />
      );
    case 'json':
      return <JsonInput {...common} value={text} onChange={write} autosize minRows={3} maxRows={16} />;
  }
}

interface TextControlProps {
  readonly field: TextField;
  readonly text: string;
  readonly error: string | undefined;
  readonly placeholder?: string;
  onWrite(text: string): void;
}

function TextControl({ field, text, onWrite, error, ...common }: TextControlProps) {
  const { maxLength, format, numeric } = field;
  const length = characters(text);
  const tooLong = maxLength !== null && length > maxLength;
  const count = maxLength !== null && (
    <Text size="xs" c={tooLong ? 'red' : 'dimmed'} span aria-hidden>
      {shownCount(length)} / {shownCount(maxLength)}
    </Text>
  );
  const props = {
    ...common,
    value: text,
    error:
      error ??
      (tooLong
        ? t('Must be {{count}} characters shorter', { count: length - maxLength, defaultValue_one: 'Must be {{count}} character shorter' })
        : undefined),
    autoComplete: 'off',
    spellCheck: format === null && !numeric,
  };
  if (maxLength !== null && maxLength >= longTextFrom && format === null) {
    return (
      <Textarea
        {...props}
        onChange={(event) => onWrite(event.currentTarget.value)}
        autosize
        minRows={maxLength > 2000 ? 4 : 1}
        maxRows={14}
        bottomSection={count}
        bottomSectionProps={{ style: { justifyContent: 'flex-end', textAlign: 'end' } }}
      />
    );
  }
  const counted = count !== false && text !== '' && format === null;
  return (
    <TextInput
      placeholder={format === 'uri' ? 'https://' : undefined}
      {...props}
      onChange={(event) => onWrite(event.currentTarget.value)}
      inputMode={format === 'uri' ? 'url' : numeric ? 'decimal' : 'text'}
      rightSection={counted ? count : null}
      rightSectionWidth={counted ? 72 : undefined}
      rightSectionPointerEvents="none"
    />
  );
}
