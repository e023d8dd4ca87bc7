import { Alert, Button, Group, List, ScrollArea, Stack, Text } from '@mantine/core';
import { IconCheck, IconDownload, IconMailOff } from '@tabler/icons-react';
import { withoutFormulas } from '../../../../../src/core/spreadsheet.ts';
import type { ImportedLine } from '../../../../../src/portal/wire/customers.ts';
import { shownCount, t } from '../../../language/language.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';

interface ImportResultProps {
  /** What was done. */
  readonly lines: readonly ImportedLine[];
  /** What ended the import early; null: it was finished. */
  readonly failure: unknown;
  /** What it did not come to. */
  readonly left: readonly ImportedLine[];
  onClose(): void;
}

/** What became of a file: who is there now, what is left after a failure, and the links that nobody was mailed. */
export function ImportResult({ lines, failure, left, onClose }: ImportResultProps) {
  const created = lines.filter(({ state }) => state === 'created');
  const failed = lines.filter(({ state }) => state === 'failed');
  const unsent = created.filter(({ owner_email, mailed }) => owner_email !== null && !mailed);
  const links = created.filter(({ link, mailed }) => link !== null && !mailed);
  return (
    <Stack>
      {(failure === null || created.length > 0) && (
        <Alert color="teal" icon={<IconCheck aria-hidden />} p="sm" role="status">
          {t('{{count}} accounts are created.', { count: created.length, defaultValue_one: '{{count}} account is created.' })}
        </Alert>
      )}
      {failure !== null && <BrokenOff failure={failure} left={left} />}
      {failed.length > 0 && (
        <Alert
          color="red"
          p="sm"
          title={t('{{count}} accounts could not be created', {
            count: failed.length,
            defaultValue_one: '{{count}} account could not be created',
          })}
        >
          <ScrollArea.Autosize
            mah={200}
            viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('Accounts that could not be created') }}
          >
            <List listStyleType="none" size="sm">
              {failed.map(({ line, name, mistakes }) => (
                <List.Item key={line}>
                  {t('Line {{line}}, {{name}}', { line: shownCount(line), name })}: <span lang="en">{mistakes.join(' ')}</span>
                </List.Item>
              ))}
            </List>
          </ScrollArea.Autosize>
        </Alert>
      )}
      {unsent.length > 0 && (
        <Alert color="yellow" icon={<IconMailOff aria-hidden />} p="sm">
          <Text size="sm">
            {links.length > 0
              ? t('No e-mail went to these owners. Download their links, which are shown only now, and give each to its owner.')
              : t('The e-mails to some owners could not be sent. Send their invitations again from the list of people.')}
          </Text>
        </Alert>
      )}
      <Group justify="flex-end">
        {links.length > 0 && (
          <Button
            component="a"
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            href={URL.createObjectURL(new Blob([linkTable(links)], { type: 'text/csv' }))}
            download="invitations.csv"
          >
            {t('Download the links')}
          </Button>
        )}
        <Button onClick={onClose} autoFocus>
          {t('Done')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The server may have carried out the request that failed, so what is left may be there already. */
function BrokenOff({ failure, left }: Pick<ImportResultProps, 'failure' | 'left'>) {
  return (
    <Stack gap="xs">
      <FailureAlert
        error={failure}
        title={t('The import stopped with {{count}} accounts left', {
          count: left.length,
          defaultValue_one: 'The import stopped with {{count}} account left',
        })}
      />
      <Text size="sm">{t('Import the same file again. Accounts that already exist are left unchanged.')}</Text>
      {left.some(({ owner_email }) => owner_email !== null) && (
        <Text size="sm">
          {t(
            'Some of these accounts may already exist, and their owners may have received no link. Send those invitations again from the list of people.',
          )}
        </Text>
      )}
    </Stack>
  );
}

/** As a table for a spreadsheet, like those of the server: it must take the file for UTF-8, and no name for a formula. */
function linkTable(lines: readonly ImportedLine[]): string {
  const cell = (text: string) => `"${withoutFormulas(text).replaceAll('"', '""')}"`;
  const rows = lines.map(({ name, owner_email, link }) => [name, owner_email ?? '', link ?? '']);
  return `\uFEFF${[['account', 'owner_email', 'link'], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}
