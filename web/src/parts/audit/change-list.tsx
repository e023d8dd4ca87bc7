import { Text, VisuallyHidden } from '@mantine/core';
import { IconArrowNarrowRight } from '@tabler/icons-react';
import { t } from '../../language/language.ts';
import classes from './audit.module.css';
import type { ShownChange } from './changes.ts';

/** Fields, each with what it was and what it became. */
export function ChangeList({ changes }: { readonly changes: readonly ShownChange[] }) {
  return (
    <ul className={classes.changes}>
      {changes.map((change) => (
        <ChangedField key={change.field} change={change} />
      ))}
    </ul>
  );
}

function ChangedField({ change: { field, from, to } }: { readonly change: ShownChange }) {
  return (
    <Text size="sm" component="li">
      <Text span inherit c="dimmed">
        {field}:
      </Text>{' '}
      {from}
      {from !== null && to !== null && (
        <>
          <VisuallyHidden> {t('became')} </VisuallyHidden>
          <IconArrowNarrowRight size={16} aria-hidden className={classes.arrow} />
        </>
      )}
      {to}
    </Text>
  );
}
