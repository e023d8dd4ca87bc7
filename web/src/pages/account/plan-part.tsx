import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { IconCalendarTime, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountQuery } from '../../api/queries.ts';
import { Trans, t } from '../../language/language.ts';
import { AccountFacts } from '../../parts/account/account-facts.tsx';
import { AccountBadge } from '../../parts/account/account-state.tsx';
import { Answered } from '../../parts/answered.tsx';
import { PartsLoading } from '../../parts/list-parts.tsx';
import { useAccountId } from '../../session/session.ts';
import { noticeFor } from './notice.ts';

/** The account's plan, its times and limits, and in words what stands in its way. */
export function PlanPart() {
  const account = useQuery(accountQuery(useAccountId()));
  return (
    <Answered query={account} loading={<PartsLoading label={t('Loading the plan')} heights={[220, 220]} />}>
      {(found) => {
        const notice = noticeFor(found, Date.now());
        return (
          <Stack>
            {notice !== null && (
              <Alert
                color={notice.kind === 'ended' ? 'red' : 'yellow'}
                title={notice.title}
                icon={notice.kind === 'ended' ? <IconInfoCircle aria-hidden /> : <IconCalendarTime aria-hidden />}
              >
                {notice.text}
              </Alert>
            )}
            {notice?.kind !== 'ended' && (
              <Group gap="sm">
                <AccountBadge account={found} />
                <Text size="sm">{t('Messages can be sent.')}</Text>
              </Group>
            )}
            <AccountFacts account={found} />
            <Text size="sm" c="dimmed">
              <Trans
                i18nKey="See what was sent each day under <a>Usage</a>."
                components={{ a: <Anchor component={Link} to="/usage" inherit underline="always" /> }}
              />
            </Text>
          </Stack>
        );
      }}
    </Answered>
  );
}
