import { Code, Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyIcon } from '../../parts/copy-field.tsx';
import classes from './send.module.css';

interface CodePanelProps {
  readonly title: string;
  /** What is copied, for screen readers. */
  readonly label: string;
  readonly code: string;
  /** Stands beside the title. */
  readonly beside?: ReactNode;
  /** Stands between the title and the code. */
  readonly above?: ReactNode;
  readonly children?: ReactNode;
}

/** A framed piece of code that can be copied, with a few words under it. */
export function CodePanel({ title, label, code, beside, above, children }: CodePanelProps) {
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Group gap="xs">
          <Title order={2} size="h5">
            {title}
          </Title>
          {beside}
        </Group>
        <CopyIcon value={code} label={label} />
      </Group>
      {above}
      {/* Focusable, so that the keyboard can scroll it. */}
      <Code block tabIndex={0} className={classes.code} aria-label={label} role="region">
        {code}
      </Code>
      {children}
    </Paper>
  );
}
