import { Anchor, Paper, Text, ThemeIcon, Title } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { Ago } from '../../parts/time/ago.tsx';
import type { Line, Lines } from './line.ts';
import classes from './lines-card.module.css';

interface LinesCardProps {
  readonly title: string;
  /** Of its heading. */
  readonly level: 2 | 3;
  readonly groups: readonly Lines[];
  /** Above the lines. */
  readonly children?: ReactNode;
}

const colours = { bad: 'red', doubtful: 'yellow', neutral: 'blue' } as const;

/** A part of the home page. Nothing when there is nothing to tell. */
export function LinesCard({ title, level, groups, children }: LinesCardProps) {
  const id = useId();
  const told = groups.filter(({ lines }) => lines.length > 0);
  if (told.length === 0 && children === undefined) return null;
  return (
    <Paper component="section" withBorder radius="lg" aria-labelledby={id} className={classes.card}>
      <Title order={level} size="h5" id={id} className={classes.title}>
        {title}
      </Title>
      {children}
      {told.map(({ lines, more }) => (
        <div key={lines[0]?.id} className={classes.group}>
          <ul className={classes.lines}>
            {lines.map((line) => (
              <OneLine key={line.id} line={line} />
            ))}
          </ul>
          {more !== null && (
            <Anchor size="sm" className={classes.more} renderRoot={(props) => <Link {...more.link} {...props} />}>
              {more.text}
            </Anchor>
          )}
        </div>
      ))}
    </Paper>
  );
}

function OneLine({ line: { tone, icon: Icon, title, text, at, link } }: { readonly line: Line }) {
  return (
    <li>
      <Link {...link} className={classes.line}>
        <ThemeIcon size={30} radius="xl" variant="light" color={colours[tone]} className={classes.icon} aria-hidden>
          <Icon size={17} />
        </ThemeIcon>
        <div className={classes.words}>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          {text !== null && (
            <Text size="sm" c="dimmed" lineClamp={2}>
              {text}
            </Text>
          )}
        </div>
        {at !== null && <Ago at={at} inLink size="xs" dimmed className={classes.when} />}
        <IconChevronRight size={16} className={classes.chevron} aria-hidden />
      </Link>
    </li>
  );
}
