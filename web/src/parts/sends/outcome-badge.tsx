import { Badge } from '@mantine/core';
import type { RequestView } from '../../../../src/portal/wire/sending.ts';
import { t } from '../../language/language.ts';
import { failureOf } from './failure-words.ts';

/** How a request ended, in a few words. */
export function OutcomeBadge({ request }: { readonly request: RequestView }) {
  const { color, words } = lookOf(request);
  return (
    <Badge color={color} variant="light" autoContrast tt="none" maw="100%">
      {words}
    </Badge>
  );
}

function lookOf({ code, idempotency, message_type, recipient }: RequestView): { readonly color: string; readonly words: string } {
  if (code !== null) return { color: 'red', words: failureOf({ code, message_type, recipient }).short };
  if (idempotency === 'replayed') return { color: 'gray', words: t('Repeat, not sent again') };
  return { color: 'teal', words: message_type === null ? t('Done') : t('Sent') };
}
