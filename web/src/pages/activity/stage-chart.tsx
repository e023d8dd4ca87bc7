import { Paper, Text, Title } from '@mantine/core';
import type { RequestView } from '../../../../src/portal/wire/index.ts';
import classes from './activity.module.css';

/** What happens in each stage of a send; a stage that is not here is shown by its own name. */
const names: Readonly<Record<string, string>> = {
  admission: 'Checking who asks and the limits',
  validation: 'Reading the message',
  claim: 'Making sure it is sent once',
  media: 'Fetching the file',
  network: 'Handing over to the network',
  settle: 'Noting the result',
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
        Where the time went
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {shownDuration(duration_ms)} from the request to its answer.
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
  if (ms < 0.05) return '< 0.1 ms';
  if (ms >= 1000) return `${(ms / 1000).toFixed(ms >= 10_000 ? 0 : 1)} s`;
  return `${ms >= 10 ? Math.round(ms) : Number(ms.toFixed(1))} ms`;
}

function share(part: number, whole: number): number {
  // The last bar stays visible, however short it was.
  return whole === 0 ? 0 : Math.min(99, (part / whole) * 100);
}
