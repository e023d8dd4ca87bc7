import { Button, Group, Paper, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../api/client.ts';
import type { ListPath } from '../../api/endpoints.ts';
import { t } from '../../language/language.ts';
import { FailureAlert } from '../failure-alert.tsx';
import type { Choice } from '../use-row-choice.ts';
import classes from './list.module.css';
import { type ListSearch, withoutPage } from './use-list.ts';

/** Of a longer list the server tells only so many ids (wire/listing.ts). */
const most = 10_000;

interface ChoiceBarProps {
  readonly choice: Choice & { clear(): void };
  readonly path: ListPath;
  readonly search: ListSearch;
  /** How many fit altogether. */
  readonly total: number | null;
  readonly account: string | undefined;
  /** What can be done with the chosen ones. */
  readonly children: ReactNode;
}

/** What can be done with the chosen records. It stays on screen while the list scrolls. */
export function ChoiceBar({ choice: { chosen, onChoose, clear }, path, search, total, account, children }: ChoiceBarProps) {
  const all = useMutation({ mutationFn: () => call(`GET ${path}/ids`, { query: withoutPage(search), account }) });
  // The choice of the filter it is asked under: a callback of the mutation itself would be replaced with the next filter's.
  const chooseAll = () => all.mutate(undefined, { onSuccess: ({ ids }) => onChoose(new Set(ids)) });
  if (chosen.size === 0) return null;
  return (
    <Paper withBorder shadow="sm" radius="lg" px="md" py="xs" className={classes.choice} role="region" aria-label={t('The chosen ones')}>
      <Group gap="sm">
        <Text size="sm" fw={600} role="status">
          {t('{{count}} chosen', { count: chosen.size })}
        </Text>
        {total !== null && chosen.size < Math.min(total, most) && (
          <Button variant="subtle" size="compact-sm" onClick={chooseAll} loading={all.isPending}>
            {total > most ? t('Choose the first {{most}} that match', { most }) : t('Choose all {{count}} that match', { count: total })}
          </Button>
        )}
        <Button variant="subtle" color="gray" size="compact-sm" onClick={clear}>
          {t('Choose none')}
        </Button>
        <Group gap="xs" ms="auto">
          {children}
        </Group>
      </Group>
      <FailureAlert error={all.error} />
    </Paper>
  );
}
