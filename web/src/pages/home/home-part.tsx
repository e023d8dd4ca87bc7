import { Anchor, Paper, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { HomeDay, HomeHour, HomeSends } from '../../../../src/portal/wire/home.ts';
import { t } from '../../language/language.ts';
import classes from './home-part.module.css';
import type { Lines, More } from './line.ts';
import { LinesCard } from './lines-card.tsx';
import { type DayLink, NumbersCard } from './numbers-card.tsx';
import { SendsCard } from './sends-card.tsx';
import type { HourLink } from './sends-chart.tsx';

interface HomePartProps {
  /** Whose part it is, where there are two. */
  readonly name: string | null;
  readonly broken: readonly Lines[];
  readonly ending: readonly Lines[];
  readonly busy: readonly Lines[];
  readonly sends: HomeSends;
  readonly hours: readonly HomeHour[];
  readonly days: readonly HomeDay[];
  readonly links: { readonly hour: HourLink; readonly day: DayLink };
  readonly failures: LinkProps | null;
  readonly failing?: readonly Lines[];
  /** Something is not known yet, so that nobody can say that all is well. */
  readonly unknown?: boolean;
  /** Accounts that cannot send. */
  readonly stopped?: readonly More[];
}

/** What to know first of an account, or of all that somebody administers. */
export function HomePart(part: HomePartProps) {
  const { name, broken, ending, busy, sends, hours, days, links, failures, failing = [], unknown = false, stopped = [] } = part;
  const level = name === null ? 2 : 3;
  const any = [...broken, ...ending].some(({ lines }) => lines.length > 0);
  return (
    <section {...(name === null ? {} : { 'aria-label': name })}>
      {name !== null && (
        <Title order={2} size="h4" mb="sm">
          {name}
        </Title>
      )}
      <div className={classes.cards}>
        <div className={classes.column}>
          {any ? (
            <>
              <LinesCard title={t('Needs attention')} level={level} groups={broken} />
              <LinesCard title={t('Ends soon')} level={level} groups={ending} />
            </>
          ) : (
            <Calm unknown={unknown} />
          )}
          {stopped.length > 0 && <Stopped links={stopped} />}
          <LinesCard title={t('Unusually busy')} level={level} groups={busy} />
        </div>
        <div className={`${classes.column} ${classes.wide}`}>
          <SendsCard level={level} sends={sends} hours={hours} link={links.hour} failures={failures} groups={failing} />
          <NumbersCard level={level} days={days} link={links.day} />
        </div>
      </div>
    </section>
  );
}

function Calm({ unknown }: { readonly unknown: boolean }) {
  return (
    <Paper withBorder radius="lg" p="md" className={classes.calm}>
      <ThemeIcon size={30} radius="xl" variant="light" color={unknown ? 'gray' : 'teal'} aria-hidden>
        <IconCheck size={17} />
      </ThemeIcon>
      <Text size="sm">
        {unknown
          ? t('Nothing is wrong so far. The gateway itself is still being checked.')
          : t('Everything works. Nothing needs you right now.')}
      </Text>
    </Paper>
  );
}

function Stopped({ links }: { readonly links: readonly More[] }) {
  return (
    <Paper withBorder radius="lg" px="md" py="sm">
      <Text size="sm" c="dimmed">
        {t('Cannot send:')}{' '}
        {links.map(({ text, link }, place) => (
          <span key={text}>
            {place > 0 && ' · '}
            <Anchor inherit renderRoot={(props) => <Link {...link} {...props} />}>
              {text}
            </Anchor>
          </span>
        ))}
      </Text>
    </Paper>
  );
}
