import { TextInput, type TextInputProps } from '@mantine/core';

/** The name of what a dialog makes or changes: its first field. */
export function NameField(field: TextInputProps) {
  return <TextInput label="Name" maxLength={100} required autoComplete="off" data-autofocus {...field} />;
}

/** Says what is wrong with a name; null when nothing is. */
export function nameMistake(name: string): string | null {
  return name.trim() === '' ? 'Enter a name.' : null;
}
