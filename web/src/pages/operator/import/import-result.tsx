import { Alert, Button, Group, List, ScrollArea, Stack, Text } from '@mantine/core';
import { IconCheck, IconDownload, IconMailOff } from '@tabler/icons-react';
import type { ImportedLine } from '../../../../../src/portal/wire/customers.ts';
import { shownCount, t } from '../../../language/language.ts';

/** What became of a file: who is there now, and the links that nobody was mailed. */
export function ImportResult({ lines, onClose }: { readonly lines: readonly ImportedLine[]; onClose(): void }) {
  const created = lines.filter(({ state }) => state === 'created');
  const failed = lines.filter(({ state }) => state === 'failed');
  const unsent = created.filter(({ owner_email, mailed }) => owner_email !== null && !mailed);
  const links = created.filter(({ link, mailed }) => link !== null && !mailed);
  return (
    <Stack>
      <Alert color="teal" icon={<IconCheck aria-hidden />} p="sm" role="status">
        {t('{{count}} accounts are created.', { count: created.length, defaultValue_one: '{{count}} account is created.' })}
      </Alert>
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
              ? t('No mail went to these owners. Download their links, which are shown only now, and give each to its owner.')
              : t('The mails to some owners could not be sent. Send their invitations again from the list of people.')}
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

/** As a table for a spreadsheet, which must not take a name for a formula. */
function linkTable(lines: readonly ImportedLine[]): string {
  const cell = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  const rows = lines.map(({ name, owner_email, link }) => [name, owner_email ?? '', link ?? '']);
  return [['account', 'owner_email', 'link'], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
