import { Anchor, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { UsageView } from '../../../../src/portal/wire/account.ts';
import { t } from '../../language/language.ts';
import classes from './usage.module.css';

/** The account's present use of its limits. */
export function Limits({ limits }: { readonly limits: UsageView['limits'] }) {
  const { messages_per_minute, instance_limit, limit_source, numbers, trial_message_limit, trial_used } = limits;
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-labelledby="limits">
      <Title order={2} size="h5" id="limits" mb="sm">
        {t('What you may use')}
      </Title>
      <div className={classes.limits}>
        {trial_message_limit !== null && (
          <Limit
            name={t('Trial messages')}
            used={trial_used}
            limit={trial_message_limit}
            text={t('{{left}} of {{limit}} left', { left: Math.max(0, trial_message_limit - trial_used), limit: trial_message_limit })}
          />
        )}
        <Limit name={t('Numbers')} used={numbers} limit={instance_limit} text={inUse(numbers, instance_limit, limit_source)} />
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {t('Speed')}
          </Text>
          <Text size="sm">
            {messages_per_minute === null
              ? t('No plan, so nothing can be sent')
              : t('Up to {{count}} messages per minute', {
                  count: messages_per_minute,
                  defaultValue_one: 'Up to {{count}} message per minute',
                })}
          </Text>
          <Text size="xs" c="dimmed">
            <Anchor renderRoot={(props) => <Link to="/account" {...props} />} inherit underline="always">
              {t('Your plan')}
            </Anchor>
          </Text>
        </Stack>
      </div>
    </Paper>
  );
}

interface LimitProps {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
  readonly text: string;
}

function Limit({ name, used, limit, text }: LimitProps) {
  const share = limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Progress value={share} color={share >= 100 ? 'red' : share >= 80 ? 'orange' : 'teal'} aria-label={t('{{name}} used', { name })} />
      <Text size="sm">{text}</Text>
    </Stack>
  );
}

function inUse(used: number, limit: number, source: UsageView['limits']['limit_source']): string {
  switch (source) {
    case 'plan':
      return t('{{used}} of {{limit}} in use', { used, limit });
    case 'account':
      return t("{{used}} of {{limit}} in use, this account's own limit", { used, limit });
    case 'free_slots':
      return t("{{used}} of {{limit}} in use, an operator's free slots", { used, limit });
  }
}
