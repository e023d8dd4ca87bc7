import { useSessionStorage } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { useSession } from '../session/session.ts';
import type { Choice } from './choice.ts';

type Remembered = Pick<Choice, 'id' | 'label' | 'description' | 'href' | 'accountId'>;

const mostRemembered = 6;

/** The objects that the person opened from the palette lately, in this tab; the last one first. */
export function useRecent() {
  const { user } = useSession();
  // Per person: somebody else may sign in in the same tab.
  const [remembered, setRemembered] = useSessionStorage<readonly Remembered[]>({
    key: `recent-objects-${user.user_id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  return {
    recent: remembered.map((one): Choice => ({ ...one, icon: IconHistory, object: true })),
    remember({ id, label, description, href, accountId }: Choice): void {
      setRemembered((known) =>
        [{ id, label, description, href, accountId }, ...known.filter((one) => one.id !== id)].slice(0, mostRemembered),
      );
    },
  };
}
