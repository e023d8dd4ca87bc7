import { useIntersection } from '@mantine/hooks';
import { useState } from 'react';

interface Identified {
  readonly request_id: string;
}

/**
 * A list that grows at its top without moving what is being read: new items wait while `topRef`, a place above the list, is scrolled out of sight.
 */
export function useHeldList<Item extends Identified>(items: readonly Item[]) {
  const { ref: topRef, entry } = useIntersection();
  const away = entry !== null && !entry.isIntersecting;
  const [heldAt, setHeldAt] = useState<string | null>(null);
  const first = items[0]?.request_id ?? null;
  if (away && heldAt === null && first !== null) setHeldAt(first);
  if (!away && heldAt !== null) setHeldAt(null);
  const waiting =
    heldAt === null
      ? 0
      : Math.max(
          0,
          items.findIndex(({ request_id }) => request_id === heldAt),
        );
  return { topRef, shown: items.slice(waiting), waiting };
}
