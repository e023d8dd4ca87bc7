import { Alert, List, ScrollArea, Stack, Text } from '@mantine/core';
import type { BulkResult, BulkTerms } from '../../../../src/portal/wire/listing.ts';
import { t } from '../../language/language.ts';
import { ChangeList } from '../../parts/audit/change-list.tsx';
import type { ShownChange } from '../../parts/audit/changes.ts';
import { shownMoment } from '../../parts/shown-moment.ts';

/** More than anybody reads one by one. */
const mostShown = 500;
const soonMs = 7 * 24 * 60 * 60 * 1000;

/** What becomes of plan and ends of each account. */
export function TermsPreview({ results }: { readonly results: readonly BulkResult[] }) {
  const changed = results.flatMap(({ id, name, before, after }) =>
    before === null || after === null ? [] : [{ id, name: name ?? id.slice(0, 8), before, after }],
  );
  if (changed.length === 0) return null;
  const soon = Date.now() + soonMs;
  const ending = changed.filter(({ after }) => endsBy(after, soon)).length;
  const more = changed.length - mostShown;
  return (
    <Stack gap="xs">
      {ending > 0 && (
        <Alert color="orange" p="xs">
          {t('{{count}} of them end within 7 days all the same.', {
            count: ending,
            defaultValue_one: '{{count}} of them ends within 7 days all the same.',
          })}
        </Alert>
      )}
      <Text size="sm" fw={600}>
        {t('What changes')}
      </Text>
      <ScrollArea.Autosize mah={260} viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('What changes for each account') }}>
        <List size="sm" listStyleType="none" spacing={6}>
          {changed.slice(0, mostShown).map(({ id, name, before, after }) => (
            <List.Item key={id}>
              <b>{name}</b>
              <ChangeList changes={changesOf(before, after)} />
            </List.Item>
          ))}
        </List>
        {more > 0 && (
          <Text size="sm" c="dimmed">
            {t('and {{count}} more', { count: more })}
          </Text>
        )}
      </ScrollArea.Autosize>
    </Stack>
  );
}

function changesOf(before: BulkTerms, after: BulkTerms): ShownChange[] {
  return [
    change(t('Plan'), planOf(before), planOf(after)),
    ...(before.plan === null && after.plan === null ? [] : [change(t('Plan ends'), planEndOf(before), planEndOf(after))]),
    change(t('Access ends'), endOf(before.access_ends_at), endOf(after.access_ends_at)),
  ];
}

function change(field: string, from: string, to: string): ShownChange {
  return from === to ? { field, from: null, to: t('{{value}}, as before', { value: to }) } : { field, from, to };
}

const planOf = ({ plan_name }: BulkTerms) => plan_name ?? t('No plan');
const planEndOf = ({ plan, plan_ends_at }: BulkTerms) => (plan === null ? '–' : endOf(plan_ends_at));
const endOf = (at: string | null) => (at === null ? t('No end') : shownMoment(at));

const endsBy = ({ plan_ends_at, access_ends_at }: BulkTerms, moment: number) =>
  [plan_ends_at, access_ends_at].some((end) => end !== null && Date.parse(end) <= moment);
