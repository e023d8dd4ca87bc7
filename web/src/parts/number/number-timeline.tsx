import { Paper, Text } from '@mantine/core';
import type { HistoryView } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import { EmptyPanel } from '../empty-panel.tsx';
import { Moment } from '../moment.tsx';
import { shownMoment } from '../shown-moment.ts';
import classes from './number-timeline.module.css';

/** What happened to a number, newest first. */
export function NumberTimeline({ entries }: { readonly entries: readonly HistoryView[] }) {
  if (entries.length === 0) {
    return <EmptyPanel>{t('Nothing has happened to it in the last 90 days.')}</EmptyPanel>;
  }
  return (
    <Paper withBorder radius="lg" p="md">
      <ol className={classes.list} aria-label={t('What has happened to the number')}>
        {entries.map((entry) => (
          <li key={`${entry.at} ${entry.event} ${entry.text}`} className={classes.entry} data-tone={toneOf(entry)}>
            <Moment at={entry.at} size="sm" c="dimmed" className={classes.when} />
            <div className={classes.what}>
              <Text size="sm">{entry.by === null ? entry.text : t('{{text}}, by {{by}}', { text: entry.text, by: entry.by })}</Text>
              {moreOf(entry).map((more) => (
                <Text key={more} size="xs" c="dimmed">
                  {more}
                </Text>
              ))}
            </div>
          </li>
        ))}
      </ol>
    </Paper>
  );
}

/** What else belongs to the entry, a line each. */
function moreOf({ event, at, last_at, ended_at, until, count }: HistoryView): readonly string[] {
  return [
    ...(count > 1 ? [t('{{count}} times until {{when}}', { count, when: shownMoment(last_at) })] : []),
    ...(event === 'lost' && ended_at === null ? [t('Not back yet')] : []),
    ...(ended_at === null
      ? []
      : [count > 1 ? t('Ended {{when}}', { when: shownMoment(ended_at) }) : t('Lasted {{span}}', { span: shownSpan(at, ended_at) })]),
    ...(until === null ? [] : [t('Until {{when}}', { when: shownMoment(until) })]),
  ];
}

function shownSpan(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  if (seconds < 120) return t('{{seconds}} s', { seconds });
  if (seconds < 2 * 60 * 60) return t('{{minutes}} min', { minutes: Math.round(seconds / 60) });
  const hours = Math.round(seconds / 3600);
  if (hours < 48) return t('{{hours}} h', { hours });
  return t('{{count}} days', { count: Math.floor(hours / 24), defaultValue_one: '{{count}} day' });
}

function toneOf({ event, ended_at }: HistoryView): 'good' | 'bad' | 'neutral' {
  switch (event) {
    case 'linked':
    case 'taken_back':
    case 'unrestricted':
      return 'good';
    case 'lost':
      return ended_at === null ? 'bad' : 'neutral';
    case 'disconnected':
      return 'neutral';
    default:
      return 'bad';
  }
}
