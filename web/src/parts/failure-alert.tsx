import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError } from '../api/client.ts';
import { t } from '../language/language.ts';
import { SupportId } from './support-id.tsx';

/** Messages of the API are in English. */
export function languageOf({ translated }: ApiError): { readonly lang?: string } {
  return translated ? {} : { lang: 'en' };
}

/** Shows a failure, with the request id for support where it helps. Nothing without a failure. */
export function FailureAlert({ error, title }: { readonly error: unknown; readonly title?: string }) {
  if (error === null || error === undefined) return null;
  const known = error instanceof ApiError;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      <Text size="sm" {...(known ? languageOf(error) : {})}>
        {known ? error.message : t('Something in the page itself went wrong. Reload it and try again.')}
      </Text>
      {known && error.requestId !== null && error.status >= 500 && (
        <Text size="xs" mt={4}>
          <SupportId id={error.requestId} />
        </Text>
      )}
    </Alert>
  );
}
