import { Alert, Button, Checkbox, Code, FileInput, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { Trans, t } from '../../../language/language.ts';
import { Back } from '../../../parts/back.tsx';
import { chosenAnew } from '../../../parts/chosen-anew.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { PageHeader } from '../../../parts/page-header.tsx';
import { AccountSelect } from '../place-selects.tsx';
import { ImportTable } from './import-table.tsx';
import { type PeerKind, useNumberImport } from './use-number-import.ts';

const mostBytes = 64 * 1024 * 1024;
const mostTableBytes = 1024 * 1024;

/** Takes over linked numbers of another program: a file is checked first, then imported. */
export default function NumberImportPage() {
  const [kind, setKind] = useState<PeerKind>('baileys');
  const [accountId, setAccountId] = useState<string | null>(null);
  const [table, setTable] = useState<File | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [stopped, setStopped] = useState(false);
  const work = useNumberImport();
  const tooLarge = file !== null && file.size > mostBytes;
  const tableTooLarge = table !== null && table.size > mostTableBytes;
  const isPlaced = accountId !== null || table !== null;
  const upload = file === null || tooLarge || tableTooLarge || !isPlaced ? null : { kind, accountId, table, file };
  const ready = work.checked?.filter(({ problem }) => problem === null).length ?? 0;
  // What was checked is what is imported, and what was said of its program holds for that alone.
  const changing =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      work.forget();
      setStopped(false);
      set(value);
    };

  return (
    <>
      <Back to="/operator/numbers">{t('All numbers')}</Back>
      <PageHeader
        title={t('Import numbers')}
        text={t(
          'Linked numbers of another program go on here without a scan. Stop that program for good, pack its folder, and upload it. It is checked first, and nothing is changed yet.',
        )}
      />
      <Stack>
        <Paper withBorder radius="lg" p="md" maw={640}>
          <Stack>
            <Select
              label={t('Program')}
              data={[
                { value: 'baileys', label: t('Baileys: its session folders (with creds.json)') },
                { value: 'waha', label: t('WAHA: its folder .sessions') },
                { value: 'whatsmeow', label: t('wuzapi, GOWA, evolution-go: the SQLite file of whatsmeow') },
              ]}
              value={kind}
              onChange={(chosen) => chosen !== null && changing(setKind)(chosen as PeerKind)}
              allowDeselect={false}
              disabled={work.importing}
            />
            {table === null && (
              <AccountSelect label={t('Account')} required value={accountId} onChange={changing(setAccountId)} disabled={work.importing} />
            )}
            <FileInput
              label={t('Table of accounts')}
              description={
                <Trans
                  i18nKey="For several accounts, in place of one: a CSV file with the columns <code>number</code>, <code>account</code> (its ID) and <code>label</code>."
                  components={{ code: <Code /> }}
                />
              }
              placeholder={t('Choose a CSV file')}
              accept=".csv,.txt,.tsv,text/csv"
              clearable
              clearButtonProps={{ 'aria-label': t('Remove the table') }}
              fileInputProps={chosenAnew}
              value={table}
              onChange={changing(setTable)}
              error={tableTooLarge ? t('The file must be at most 1 MB.') : null}
              disabled={work.importing}
            />
            <FileInput
              label={t('File')}
              description={t('A .zip or .tar.gz archive, or one SQLite file; at most 64 MB.')}
              placeholder={t('Choose a file')}
              clearable
              clearButtonProps={{ 'aria-label': t('Remove the file') }}
              fileInputProps={chosenAnew}
              value={file}
              onChange={changing(setFile)}
              error={tooLarge ? t('The file must be at most 64 MB.') : null}
              disabled={work.importing}
            />
            <Group justify="flex-end">
              <Button
                variant={work.checked === null ? 'filled' : 'default'}
                disabled={upload === null || work.importing}
                loading={work.checking}
                onClick={() => upload !== null && work.check(upload)}
              >
                {t('Check the file')}
              </Button>
            </Group>
          </Stack>
        </Paper>
        <FailureAlert error={work.error} />
        {work.done !== null ? (
          <>
            <Imported count={work.done.filter(({ instance_id }) => instance_id !== null).length} />
            <ImportTable numbers={work.done} />
          </>
        ) : (
          work.checked !== null && (
            <>
              <Text role="status">
                {t('Can be imported: {{ready}} of {{total}}. Nothing was changed.', { ready, total: work.checked.length })}
              </Text>
              <ImportTable numbers={work.checked} />
              <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
                <Stack gap="sm" align="flex-start">
                  <Text size="sm">{t('Two programs with the keys of one number throw each other out, and messages are lost.')}</Text>
                  <Checkbox
                    label={t('The other program is stopped, and nothing starts it again.')}
                    checked={stopped}
                    onChange={({ currentTarget }) => setStopped(currentTarget.checked)}
                    disabled={work.importing}
                  />
                  <Button
                    disabled={!stopped || ready === 0 || upload === null}
                    loading={work.importing}
                    onClick={() => upload !== null && work.start(upload)}
                  >
                    {t('Import {{count}} numbers', { count: ready, defaultValue_one: 'Import {{count}} number' })}
                  </Button>
                </Stack>
              </Alert>
            </>
          )
        )}
        <Alert icon={<IconInfoCircle aria-hidden />} color="gray" maw={640}>
          <Trans
            i18nKey="Databases on a server (PostgreSQL) and numbers of Evolution API are imported with the command <code>gateway import</code>."
            components={{ code: <Code /> }}
          />
        </Alert>
      </Stack>
    </>
  );
}

function Imported({ count }: { readonly count: number }) {
  return count === 0 ? (
    <Alert color="gray" icon={<IconInfoCircle aria-hidden />} role="status">
      {t('None of the numbers is known to be imported. The other program may go on with those that are certainly not linked here.')}
    </Alert>
  ) : (
    <Alert color="teal" icon={<IconCheck aria-hidden />} role="status">
      {t('{{count}} numbers are imported and connect now. Keep the other program stopped.', {
        count,
        defaultValue_one: '{{count}} number is imported and connects now. Keep the other program stopped.',
      })}
    </Alert>
  );
}
