import { Text, ThemeIcon } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { RequestView } from '../../../../src/portal/wire/index.ts';
import { Trans, t } from '../../language/language.ts';
import { KindIcon, kindName } from '../../parts/kind.tsx';
import { shownNumber } from '../../parts/phone-number.ts';
import { Ago } from '../../parts/time/ago.tsx';
import classes from './activity.module.css';
import { OutcomeBadge } from './outcome-badge.tsx';

interface SendRowProps {
  readonly send: RequestView;
  /** The name of the number it was sent from. */
  readonly from: string | null;
  /** It came while the list was looked at. */
  readonly arrived: boolean;
}

/** One send: what, to whom, how it ended, when. All of it leads to its request. */
export function SendRow({ send, from, arrived }: SendRowProps) {
  const type = send.message_type ?? '';
  return (
    <li className={arrived ? classes.arrived : undefined}>
      <Link to="/activity/$requestId" params={{ requestId: send.request_id }} className={classes.row} preload={false}>
        <ThemeIcon size={36} radius="xl" variant="light" color={send.code === null ? 'teal' : 'red'} className={classes.icon} aria-hidden>
          <KindIcon type={type} size={20} />
        </ThemeIcon>
        <div className={classes.what}>
          <Text>
            {send.recipient === null ? (
              <b>{kindName(type)}</b>
            ) : (
              <Trans
                i18nKey="<b>{{kind}}</b> to {{recipient}}"
                values={{ kind: kindName(type), recipient: shownNumber(send.recipient) }}
                components={{ b: <b /> }}
              />
            )}
          </Text>
          {send.error_message !== null && (
            <Text size="sm" c="dimmed" truncate lang="en">
              {send.error_message}
            </Text>
          )}
          {(from !== null || send.person !== null) && (
            <Text size="sm" c="dimmed" truncate>
              {originOf(from, send.person)}
            </Text>
          )}
        </div>
        <div className={classes.outcome}>
          <OutcomeBadge request={send} />
        </div>
        <Ago at={send.at} inLink size="sm" c="dimmed" className={classes.when} />
        <IconChevronRight size={18} className={classes.chevron} aria-hidden />
      </Link>
    </li>
  );
}

function originOf(from: string | null, person: string | null): string {
  if (from === null) return person === null ? '' : t('by {{person}}', { person });
  return person === null ? t('from {{number}}', { number: from }) : t('from {{number}} by {{person}}', { number: from, person });
}
