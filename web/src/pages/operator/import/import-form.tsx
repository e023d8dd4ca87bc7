import { Anchor, Button, FileInput, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../language/language.ts';
import { chosenAnew } from '../../../parts/chosen-anew.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { rolesOf, useSession } from '../../../session/session.ts';
import { ProviderSelect, useSeveralProviders } from '../place-selects.tsx';
import { CheckedLines } from './checked-lines.tsx';
import type { ChosenFile, ImportWork } from './use-import.ts';

const mostBytes = 1024 * 1024;

/** Chooses the file, shows what is wrong in it, and starts the import. */
export function ImportForm({ work, onClose }: { readonly work: ImportWork; onClose(): void }) {
  const { operator } = rolesOf(useSession());
  const [providerId, setProviderId] = useState<string | null>(operator ? 'default' : null);
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [mistake, setMistake] = useState<string | null>(null);
  const chooses = useSeveralProviders();
  const { ready } = work;

  const choose = async (chosen: File | null) => {
    work.forget();
    setFile(null);
    setMistake(null);
    if (chosen === null) return;
    if (chosen.size > mostBytes) return setMistake(t('The file must be at most 1 MB.'));
    // Another program may have moved it, or a phone does not have it at hand.
    const csv = await chosen.text().catch(() => null);
    if (csv === null) return setMistake(t('The file could not be read. Choose it again.'));
    const read = { name: chosen.name, csv, providerId: chooses ? providerId : null };
    setFile(read);
    work.check(read);
  };
  const place = (chosen: string | null) => {
    setProviderId(chosen);
    if (file === null) return;
    const moved = { ...file, providerId: chosen };
    setFile(moved);
    work.check(moved);
  };

  return (
    <Stack>
      <Text size="sm">
        {t(
          'A CSV file with one account per line. It is checked first, and nothing is changed yet. An account that already exists (the same reference, or the same name if it has none) is left unchanged, so the same file can be imported again.',
        )}
      </Text>
      <Anchor href="/portal/api/operator/accounts/import.csv" download size="sm">
        {t('Download a template')}
      </Anchor>
      {chooses && <ProviderSelect value={providerId} onChange={place} />}
      <FileInput
        label={t('File')}
        placeholder={t('Choose a CSV file')}
        accept=".csv,.txt,.tsv,text/csv"
        clearable
        clearButtonProps={{ 'aria-label': t('Remove the file') }}
        fileInputProps={chosenAnew}
        onChange={(chosen) => void choose(chosen)}
        error={mistake}
        disabled={work.importing || (chooses && providerId === null)}
      />
      <FailureAlert error={work.error} />
      {work.checked !== null && <CheckedLines lines={work.checked} />}
      {work.importing && (
        <Stack gap={4} role="status">
          <Text size="sm">{t('{{done}} of {{all}} accounts', { done: work.progress, all: ready })}</Text>
          <Progress value={ready === 0 ? 0 : (work.progress / ready) * 100} animated aria-label={t('Progress of the import')} />
        </Stack>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={work.importing}>
          {t('Cancel')}
        </Button>
        <Button
          disabled={file === null || ready === 0}
          loading={work.checking || work.importing}
          onClick={() => file !== null && work.start(file)}
        >
          {t('Import {{count}} accounts', { count: ready, defaultValue_one: 'Import {{count}} account' })}
        </Button>
      </Group>
    </Stack>
  );
}
