import { Group, Paper, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { t } from '../language/language.ts';
import classes from './first-steps.module.css';

export interface Step {
  readonly step: string;
  readonly title: string;
  readonly text: string;
  readonly done: boolean;
}

interface StepListProps<One extends Step> {
  readonly title: string;
  readonly steps: readonly One[];
  /** What leads to an open step; `next`: it is the first of those. */
  readonly open: (step: One, next: boolean) => ReactNode;
  /** Beside how many are done. */
  readonly children?: ReactNode;
}

/** Steps of somebody new, each ticked off when it is done. */
export function StepList<One extends Step>({ title, steps, open, children }: StepListProps<One>) {
  const id = useId();
  const next = steps.find(({ done }) => !done);
  const count = steps.filter(({ done }) => done).length;
  return (
    <Paper component="section" aria-labelledby={id} withBorder radius="lg" p="lg" mb="lg">
      <Group justify="space-between" mb="md" gap="xs">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        <Group gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {t('{{done}} of {{all}} done', { done: count, all: steps.length })}
          </Text>
          {children}
        </Group>
      </Group>
      <ol className={classes.steps}>
        {steps.map((one, index) => (
          <li key={one.step} className={classes.step} aria-current={one === next ? 'step' : undefined}>
            <ThemeIcon
              size={32}
              radius="xl"
              variant={one.done ? 'filled' : one === next ? 'light' : 'default'}
              aria-hidden
              className={one.done ? classes.ticked : undefined}
            >
              {one.done ? <IconCheck size={18} /> : <Text fw={650}>{index + 1}</Text>}
            </ThemeIcon>
            <div>
              <Text fw={600}>
                {one.title}
                {one.done && <VisuallyHidden>, {t('done')}</VisuallyHidden>}
              </Text>
              <Text size="sm" c="dimmed">
                {one.text}
              </Text>
              {!one.done && open(one, one === next)}
            </div>
          </li>
        ))}
      </ol>
    </Paper>
  );
}
