import { Center, Loader } from '@mantine/core';
import { t } from '../language/language.ts';

/** Stands in for a page while it is loaded. */
export function PageLoading() {
  return (
    <Center mih="60vh">
      <Loader role="status" aria-label={t('Loading')} />
    </Center>
  );
}
