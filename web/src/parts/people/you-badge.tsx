import { Badge } from '@mantine/core';
import { t } from '../../language/language.ts';
import { useSession } from '../../session/session.ts';

/** Stands beside the reader's own name. */
export function YouBadge({ userId }: { readonly userId: string }) {
  const { user } = useSession();
  if (user.user_id !== userId) return null;
  return (
    <Badge component="span" size="sm" variant="light" color="gray" autoContrast>
      {t('You')}
    </Badge>
  );
}
