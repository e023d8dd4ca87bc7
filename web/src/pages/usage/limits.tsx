import { Anchor, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { UsageView } from '../../../../src/portal/wire/index.ts';
import classes from './usage.module.css';

const sourceWords: Readonly<Record<UsageView['limits']['limit_source'], string>> = {
  plan: '',
  account: ', a limit of this account alone',
  free_slots: ', the free slots of an operator',
};

/** The account's present use of its limits. */
export function Limits({ limits }: { readonly limits: UsageView['limits'] }) {
  const { messages_per_minute, instance_limit, limit_source, numbers, trial_message_limit, trial_used } = limits;
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-labelledby="limits">
      <Title order={2} size="h5" id="limits" mb="sm">
        What you may use
      </Title>
      <div className={classes.limits}>
        {trial_message_limit !== null && (
          <Limit
            name="Trial messages"
            used={trial_used}
            limit={trial_message_limit}
            text={`${count(Math.max(0, trial_message_limit - trial_used))} of ${count(trial_message_limit)} left`}
          />
        )}
        {instance_limit !== null && (
          <Limit
            name="Numbers"
            used={numbers}
            limit={instance_limit}
            text={`${count(numbers)} of ${count(instance_limit)} in use${sourceWords[limit_source]}`}
          />
        )}
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            Speed
          </Text>
          <Text size="sm">
            {messages_per_minute === null ? 'No plan, so nothing can be sent' : `Up to ${count(messages_per_minute)} messages a minute`}
          </Text>
          <Text size="xs" c="dimmed">
            <Anchor renderRoot={(props) => <Link to="/account" {...props} />} inherit underline="always">
              Your plan
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
      <Progress value={share} color={share >= 100 ? 'red' : share >= 80 ? 'orange' : 'teal'} aria-label={`${name} used`} />
      <Text size="sm">{text}</Text>
    </Stack>
  );
}

/** A whole number as people write it. */
export function count(number: number): string {
  return number.toLocaleString();
}
