import { Paper, Text, Title } from '@mantine/core';
import type { RequestView } from '../../../../src/portal/wire/sending.ts';
import { shownCount, t } from '../../language/language.ts';
import classes from './activity.module.css';

/** What happens in each stage of a send; a stage that is not here is shown by its own name. */
const names: Readonly<Record<string, string>> = {
  admission: t('Checking access and limits'),
  validation: t('Reading the message'),
  claim: t('Making sure it is sent once'),
  media: t('Fetching the file'),
  network: t('Handing it to the network'),
  settle: t('Recording the result'),
};

/** Where the time of a request went: a bar per stage, each beginning where the one before ended. */
export function StageChart({ request }: { readonly request: RequestView }) {
  const { stages, duration_ms } = request;
  if (stages.length === 0) return null;
  const whole = Math.max(
    duration_ms,
    stages.reduce((total, { ms }) => total + ms, 0),
  );
  let from = 0;
  const bars = stages.map(({ stage, ms }) => {
    const bar = { stage, ms, from };
    from += ms;
    return bar;
  });
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-labelledby="stages">
      <Title order={2} size="h5" id="stages">
        {t('Where the time went')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('{{duration}} from request to response.', { duration: shownDuration(duration_ms) })}
      </Text>
      <ol className={classes.stages}>
        {bars.map(({ stage, ms, from: start }) => (
          <li key={stage} className={classes.stage}>
            <Text size="sm">{names[stage] ?? stage}</Text>
            <div className={classes.track} aria-hidden>
              <div className={classes.bar} style={{ marginInlineStart: `${share(start, whole)}%`, width: `${share(ms, whole)}%` }} />
            </div>
            <Text size="sm" ta="right" className={classes.time}>
              {shownDuration(ms)}
            </Text>
          </li>
        ))}
      </ol>
    </Paper>
  );
}

/** Milliseconds as people read them. */
export function shownDuration(ms: number): string {
  if (ms < 0.05) return `< ${shownCount(0.1)} ms`;
  if (ms >= 1000) return `${shownCount(ms / 1000, ms >= 10_000 ? 0 : 1)} s`;
  return `${shownCount(ms, ms >= 10 ? 0 : 1)} ms`;
}

function share(part: number, whole: number): number {
  // The last bar stays visible, however short it was.
  return whole === 0 ? 0 : Math.min(99, (part / whole) * 100);
}
