import { Paper, Text, ThemeIcon } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { RequestView } from '../../../../src/portal/wire/sending.ts';
import type { Instance } from '../../api/contract.ts';
import { Trans, t } from '../../language/language.ts';
import { AccountPageLink } from '../account/account-page-link.tsx';
import { KindIcon, kindName } from '../kind.tsx';
import { nameOf } from '../number-words.ts';
import { shownNumber } from '../phone-number.ts';
import { Ago } from '../time/ago.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';
import classes from './sends.module.css';

interface SendRowsProps {
  readonly sends: readonly RequestView[];
  /** Unknown when they could not be had. */
  readonly numbers: readonly Instance[] | undefined;
  /** What came after this moment (ISO 8601) is marked as new. */
  readonly newSince?: string;
  /** Their account, where another one is acted for. */
  readonly accountId?: string;
}

/** Sends, one below the other. */
export function SendRows({ sends, numbers, newSince, accountId }: SendRowsProps) {
  const names = numbers && new Map(numbers.map((number) => [number.instance_id, nameOf(number)]));
  const fromOf = (id: string | null) => (id === null || names === undefined ? null : (names.get(id) ?? t('a deleted number')));
  return (
    <Paper withBorder radius="lg" style={{ overflow: 'clip' }}>
      <ul className={classes.list} aria-label={t('Sends')}>
        {sends.map((send) => (
          <SendRow
            key={send.request_id}
            send={send}
            from={fromOf(send.instance_id)}
            arrived={newSince !== undefined && send.at > newSince}
            accountId={accountId}
          />
        ))}
      </ul>
    </Paper>
  );
}

interface SendRowProps {
  readonly send: RequestView;
  /** The name of the number it was sent from. */
  readonly from: string | null;
  /** It came while the list was looked at. */
  readonly arrived: boolean;
  readonly accountId: string | undefined;
}

/** One send: what, to whom, how it ended, when. All of it leads to its request. */
function SendRow({ send, from, arrived, accountId }: SendRowProps) {
  const type = send.message_type ?? '';
  const content = (
    <>
      <ThemeIcon size={28} radius="xl" variant="light" color={send.code === null ? 'teal' : 'red'} className={classes.icon} aria-hidden>
        <KindIcon type={type} size={16} />
      </ThemeIcon>
      <div className={classes.what}>
        <Text size="sm" className={classes.main}>
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
          <Text size="sm" c="dimmed" className={classes.error} lang="en">
            {send.error_message}
          </Text>
        )}
        {(from !== null || send.person !== null) && (
          <Text size="sm" c="dimmed" truncate className={classes.origin}>
            {originOf(from, send.person)}
          </Text>
        )}
      </div>
      <div className={classes.outcome}>
        <OutcomeBadge request={send} />
      </div>
      <Ago at={send.at} inLink size="sm" dimmed className={classes.when} />
      <IconChevronRight size={18} className={classes.chevron} aria-hidden />
    </>
  );
  return (
    <li className={arrived ? classes.arrived : undefined}>
      {accountId === undefined ? (
        <Link to="/activity/$requestId" params={{ requestId: send.request_id }} className={classes.row} preload={false}>
          {content}
        </Link>
      ) : (
        <AccountPageLink accountId={accountId} href={`/activity/${send.request_id}`} className={classes.row}>
          {content}
        </AccountPageLink>
      )}
    </li>
  );
}

function originOf(from: string | null, person: string | null): string {
  if (from === null) return person === null ? '' : t('by {{person}}', { person });
  return person === null ? t('from {{number}}', { number: from }) : t('from {{number}} by {{person}}', { number: from, person });
}
