import { Button, Center, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { Instance } from '../../api/contract.ts';
import { t } from '../../language/language.ts';
import type { Loaded } from '../../parts/sends/activity-query.ts';
import { SendRows } from '../../parts/sends/send-rows.tsx';
import classes from './activity.module.css';
import { useHeldList } from './use-held-list.ts';

interface SendListProps {
  readonly loaded: Loaded;
  /** Unknown when they could not be had. */
  readonly numbers: readonly Instance[] | undefined;
  /** More is being asked for. */
  readonly busy: boolean;
  /** null when there is nothing older. */
  readonly onMore: (() => void) | null;
}

/** The sends, newest first. New ones appear at the top, or as a button while the list is scrolled down. */
export function SendList({ loaded, numbers, busy, onMore }: SendListProps) {
  const { topRef, shown, waiting } = useHeldList(loaded.items);
  const [openedAt] = useState(() => new Date().toISOString());
  return (
    <>
      <div ref={topRef} />
      {waiting > 0 && (
        <div className={classes.new}>
          <Button
            size="compact-sm"
            radius="xl"
            leftSection={<IconArrowUp size={16} aria-hidden />}
            onClick={() => window.scrollTo({ top: 0 })}
          >
            {t('{{count}} new sends', { count: waiting, defaultValue_one: '{{count}} new send' })}
          </Button>
        </div>
      )}
      <SendRows sends={shown} numbers={numbers} newSince={openedAt} />
      <VisuallyHidden role="status">
        {t('{{count}} sends are shown', { count: shown.length, defaultValue_one: '{{count}} send is shown' })}
      </VisuallyHidden>
      <Center mt="md" mih={36}>
        {onMore === null ? (
          <Text size="sm" c="dimmed">
            {t('That is everything from the last 30 days.')}
          </Text>
        ) : (
          <Button variant="default" onClick={onMore} loading={busy}>
            {t('Show older')}
          </Button>
        )}
      </Center>
    </>
  );
}
