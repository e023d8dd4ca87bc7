import { Alert, List, ScrollArea, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { ImportedLine } from '../../../../../src/portal/wire/customers.ts';
import { shownCount, t } from '../../../language/language.ts';

/** Drawing more than these would be slow, and nobody reads them. */
const mostShown = 200;

/** What a check found: how many lines can be imported, and what is wrong with the others. */
export function CheckedLines({ lines }: { readonly lines: readonly ImportedLine[] }) {
  const count = (state: ImportedLine['state']) => lines.filter((line) => line.state === state).length;
  const mistaken = lines.filter(({ state }) => state === 'mistaken');
  const there = count('exists');
  return (
    <Stack gap="sm" role="status">
      <Alert color="teal" icon={<IconCheck aria-hidden />} p="sm">
        {t('{{count}} accounts can be imported.', { count: count('ready'), defaultValue_one: '{{count}} account can be imported.' })}{' '}
        {there > 0 &&
          t('{{count}} already exist and stay as they are.', {
            count: there,
            defaultValue_one: '{{count}} already exists and stays as it is.',
          })}
      </Alert>
      {mistaken.length > 0 && (
        <Alert
          color="red"
          icon={<IconAlertTriangle aria-hidden />}
          p="sm"
          title={t('{{count}} lines have mistakes and are left out', {
            count: mistaken.length,
            defaultValue_one: '{{count}} line has mistakes and is left out',
          })}
        >
          <ScrollArea.Autosize mah={240} type="auto" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('Lines with mistakes') }}>
            <List listStyleType="none" size="sm" spacing={6}>
              {mistaken.slice(0, mostShown).map(({ line, name, mistakes }) => (
                <List.Item key={line}>
                  <Text size="sm" fw={600} component="span">
                    {name === ''
                      ? t('Line {{line}}', { line: shownCount(line) })
                      : t('Line {{line}}, {{name}}', { line: shownCount(line), name })}
                  </Text>
                  {': '}
                  <span lang="en">{mistakes.join(' ')}</span>
                </List.Item>
              ))}
            </List>
          </ScrollArea.Autosize>
          {mistaken.length > mostShown && <Text size="sm">{t('These are the first {{shown}} of them.', { shown: mostShown })}</Text>}
        </Alert>
      )}
    </Stack>
  );
}
