import { Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { t } from '../language/language.ts';
import { distanceText } from '../parts/time/age.ts';
import { useTold } from '../parts/time/told.ts';
import classes from './silence-banner.module.css';
import { useSilence } from './use-silence.ts';

/** Says that the server does not answer, and since when, so that nobody takes what is on screen for the present. */
export function SilenceBanner() {
  const since = useSilence();
  const silent = since !== null;
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!silent) return undefined;
    // Whatever is on screen is older than it seems.
    return () => void queryClient.invalidateQueries();
  }, [silent, queryClient]);
  return (
    // Always there, so that screen readers tell what comes into it.
    <div role="status" className={silent ? classes.banner : undefined}>
      {since !== null && (
        <>
          <IconCloudOff size={15} aria-hidden />
          <Text inherit span fw={600}>
            {t('The server does not answer.')}
          </Text>
          <LastAnswer at={since} />
        </>
      )}
    </div>
  );
}

/** Hidden from screen readers, which would read it every second. */
function LastAnswer({ at }: { readonly at: number }) {
  const told = useTold(useCallback((now) => t('Last answer {{when}}', { when: distanceText(new Date(at).toISOString(), now) }), [at]));
  return (
    <span aria-hidden className={classes.when}>
      {told}
    </span>
  );
}
