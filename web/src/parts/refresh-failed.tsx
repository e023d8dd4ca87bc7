import { Alert, Button, Group, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { ApiError } from '../api/client.ts';
import { locale, t } from '../language/language.ts';
import { useSilence } from '../live/use-silence.ts';

interface RefreshFailedProps {
  /** The result of a query hook. */
  readonly query: {
    readonly data: unknown;
    readonly error: unknown;
    /** When the data on screen came, in ms since 1970. */
    readonly dataUpdatedAt: number;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
}

/** Says that what is on screen is old, because asking for it again failed. Nothing while it is current, or not there yet. */
export function RefreshFailed({ query: { data, error, dataUpdatedAt, isFetching, refetch } }: RefreshFailedProps) {
  const silent = useSilence() !== null;
  // The whole page says it then.
  if (data === undefined || error === null || silent) return null;
  return (
    <Alert color="orange" icon={<IconCloudOff aria-hidden />} role="status" mb="md" p="sm">
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 260px">
          {t('This could not be refreshed. It shows the state at {{when}}.', { when: shownSince(dataUpdatedAt) })}
          {error instanceof ApiError && ` ${error.message}`}
        </Text>
        <Button size="xs" variant="default" onClick={() => void refetch()} loading={isFetching}>
          {t('Refresh')}
        </Button>
      </Group>
    </Alert>
  );
}

/** The time of day, with its date when that is another day. */
function shownSince(at: number): string {
  const date = new Date(at);
  const today = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(locale(), today ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' });
}
