import { TextInput, type TextInputProps } from '@mantine/core';
import { t } from '../../language/language.ts';

/** The name of what a dialog makes or changes: its first field. */
export function NameField(field: TextInputProps) {
  return <TextInput label={t('Name')} maxLength={100} required autoComplete="off" data-autofocus {...field} />;
}

/** Says what is wrong with a name; null when nothing is. */
export function nameMistake(name: string): string | null {
  return name.trim() === '' ? t('Enter a name.') : null;
}
