import { TextInput } from '@mantine/core';

interface NameFieldProps {
  readonly value: string;
  readonly description?: string;
  onChange(name: string): void;
}

/** The name of what a dialog makes or changes: its first field. */
export function NameField({ value, description, onChange }: NameFieldProps) {
  return (
    <TextInput
      label="Name"
      description={description}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={100}
      pattern=".*\S.*"
      title="A name with at least one letter or digit"
      required
      autoComplete="off"
      data-autofocus
    />
  );
}
