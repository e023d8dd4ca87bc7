import { Alert, Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconCalendarTime, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountQuery } from '../../api/queries.ts';
import { Trans, t } from '../../language/language.ts';
import { AccountFacts } from '../../parts/account/account-facts.tsx';
import { AccountBadge } from '../../parts/account/account-state.tsx';
import { Answered } from '../../parts/answered.tsx';
import { useAccountId } from '../../session/session.ts';
import { noticeFor } from './notice.ts';

/** The account's plan, its times and limits, and in words what stands in its way. */
export function PlanPart() {
  const account = useQuery(accountQuery(useAccountId()));
  return (
    <Answered query={account} loading={<Loading />}>
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

function Loading() {
  return (
    <Stack role="status" aria-label={t('Loading the plan')}>
      <Skeleton h={220} radius="lg" />
      <Skeleton h={220} radius="lg" />
    </Stack>
  );
}
