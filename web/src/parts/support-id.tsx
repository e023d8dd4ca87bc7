import { Code } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Trans, t } from '../language/language.ts';

// Few people ever see a failure, and its button needs what menus need.
const CopyIcon = lazy(() => import('./copy-field.tsx').then((file) => ({ default: file.CopyIcon })));

/** What support needs to find a request that failed. */
export function SupportId({ id }: { readonly id: string }) {
  return (
    <>
      <Trans i18nKey="For support: <code>{{id}}</code>" values={{ id }} components={{ code: <Code /> }} />{' '}
      <Suspense fallback={null}>
        <CopyIcon value={id} label={t('request ID')} small />
      </Suspense>
    </>
  );
}
