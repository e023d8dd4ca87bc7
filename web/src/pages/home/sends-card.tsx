import { Anchor, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { HomeHour, HomeSends } from '../../../../src/portal/wire/home.ts';
import { locale, t } from '../../language/language.ts';
import { ends } from '../../parts/sends/ends.ts';
import { failedText } from './failed-text.ts';
import type { Lines } from './line.ts';
import { LinesCard } from './lines-card.tsx';
import classes from './sends-card.module.css';
import { type HourLink, SendsChart } from './sends-chart.tsx';

interface SendsCardProps {
  readonly level: 2 | 3;
  readonly sends: HomeSends;
  readonly hours: readonly HomeHour[];
  readonly link: HourLink;
  /** Where those that were not accepted are listed. */
  readonly failures: LinkProps | null;
  readonly groups?: readonly Lines[];
}

/** From here on alerts speak of a high error rate, unless they were told otherwise. */
const alarming = 0.1;

export function SendsCard({ level, sends, hours, link, failures, groups = [] }: SendsCardProps) {
  const any = hours.some((hour) => [hour.sends, hour.week_before].some((ended) => ends.some(({ end }) => ended[end] > 0)));
  return (
    <LinesCard title={t('Sends of the last 24 hours')} level={level} groups={groups}>
      <div className={classes.sends}>
        <Rate sends={sends} />
        {failures !== null && sends.failed + sends.refused > 0 && (
          <Anchor size="sm" renderRoot={(props) => <Link {...failures} {...props} />}>
            {t('See what was not sent')}
          </Anchor>
        )}
        {any && <SendsChart sends={sends} hours={hours} link={link} />}
      </div>
    </LinesCard>
  );
}

function Rate({ sends: { accepted, failed, refused } }: Pick<SendsCardProps, 'sends'>) {
  const all = accepted + failed + refused;
  if (all === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('Nothing was sent.')}
      </Text>
    );
  }
  return (
    <>
      <Text className={classes.rate} {...(failed / all >= alarming ? { c: 'var(--mantine-color-red-text)' } : {})}>
        {share(failed, all)}
      </Text>
      <Text size="sm">{failedText(failed, all)}</Text>
      {refused > 0 && (
        <Text size="sm" c="dimmed">
          {t('{{count}} more were refused (4xx)', {
            count: refused,
            defaultValue_one: '{{count}} more was refused (4xx)',
          })}
        </Text>
      )}
    </>
  );
}

/** Never zero when something failed. */
function share(failed: number, all: number): string {
  const percent = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 });
  if (failed > 0 && failed / all < 0.001) return `< ${percent.format(0.001)}`;
  return percent.format(failed / all);
}
