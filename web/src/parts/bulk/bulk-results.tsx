import { Badge, List, ScrollArea, Stack, Text } from '@mantine/core';
import type { BulkResult } from '../../../../src/portal/wire/listing.ts';
import { t } from '../../language/language.ts';
import { CopyField } from '../copy-field.tsx';
import { namedOf, withOutcome } from './outcomes.ts';

/** Which records are skipped and why, in groups: there may be thousands. */
export function Skipped({ results }: { readonly results: readonly BulkResult[] }) {
  const skipped = results.filter(({ outcome }) => outcome === 'skipped');
  if (skipped.length === 0) return null;
  const groups = Map.groupBy(skipped, ({ reason }) => reason?.message ?? '');
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {t('{{count}} will be skipped', { count: skipped.length })}
      </Text>
      <List size="sm">
        {[...groups].map(([why, ones]) => (
          <List.Item key={why}>
            <span lang="en">{why}</span>{' '}
            <Text span inherit c="dimmed">
              {namesOf(ones)}
            </Text>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

function namesOf(results: readonly BulkResult[]): string {
  const named = results.slice(0, 3).map(({ name, id }) => name ?? id.slice(0, 8));
  const more = results.length - named.length;
  return more > 0 ? t('{{names}} and {{count}} more', { names: named.join(', '), count: more }) : named.join(', ');
}

/** The outcome of each record. */
export function BulkResults({ results }: { readonly results: readonly BulkResult[] }) {
  const count = (outcome: BulkResult['outcome']) => withOutcome(results, outcome).length;
  const unknown = count('unknown');
  const listed = namedOf(results);
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {t('{{done}} done, {{skipped}} skipped, {{failed}} failed', {
          done: count('done'),
          skipped: count('skipped'),
          failed: count('failed'),
        })}
      </Text>
      {unknown > 0 && (
        <Text size="sm">
          {t('It is not known whether {{count}} of them were done. They stay chosen; look at them before you repeat it.', {
            count: unknown,
            defaultValue_one: 'It is not known whether {{count}} of them was done. It stays chosen; look at it before you repeat it.',
          })}
        </Text>
      )}
      <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('The outcome of each') }}>
        <List size="sm" listStyleType="none" spacing={6}>
          {listed.map((one) => (
            <List.Item key={one.id}>
              <Outcome outcome={one.outcome} /> {one.name ?? one.id.slice(0, 8)}
              {one.reason !== null && (
                <Text span inherit c="dimmed">
                  {' '}
                  – <span lang="en">{one.reason.message}</span>
                </Text>
              )}
              {one.link !== null && <CopyField label={t('Link for {{name}}', { name: one.name ?? one.id })} value={one.link} />}
            </List.Item>
          ))}
        </List>
        {results.length > listed.length && (
          <Text size="sm" c="dimmed">
            {t('and {{count}} more', { count: results.length - listed.length })}
          </Text>
        )}
      </ScrollArea.Autosize>
    </Stack>
  );
}

function Outcome({ outcome }: Pick<BulkResult, 'outcome'>) {
  const { color, word } = outcomes[outcome];
  return (
    <Badge variant="light" color={color}>
      {word}
    </Badge>
  );
}

const outcomes = {
  done: { color: 'teal', word: t('Done') },
  failed: { color: 'red', word: t('Failed') },
  unknown: { color: 'yellow', word: t('Not known') },
  skipped: { color: 'gray', word: t('Skipped') },
  possible: { color: 'gray', word: t('Skipped') },
};
