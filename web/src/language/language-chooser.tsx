import { NativeSelect } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { chooseBeforeSignIn } from './choice.ts';
import { spoken, t } from './language.ts';
import { languageNames, languages } from './languages.ts';

/** The language of the pages before the sign-in. */
export function LanguageChooser() {
  return (
    <NativeSelect
      aria-label={t('Language')}
      size="xs"
      variant="unstyled"
      styles={{ input: { fieldSizing: 'content' } }}
      leftSection={<IconLanguage size={16} aria-hidden />}
      value={spoken()}
      data={languages.map((language) => ({ value: language, label: languageNames[language] }))}
      onChange={({ currentTarget: { value } }) => {
        const chosen = languages.find((language) => language === value);
        if (chosen !== undefined) chooseBeforeSignIn(chosen);
      }}
    />
  );
}
