import { lazy, Suspense, useState } from 'react';
import { PersonButton } from './person-button.tsx';

const OpenedMenu = lazy(() => import('./opened-menu.tsx'));

/** Who is signed in, with a menu that comes after the page; one that is asked for before opens when it is there. */
export function PersonMenu() {
  const [opened, setOpened] = useState(false);
  return (
    <Suspense fallback={<PersonButton aria-haspopup="menu" aria-expanded={opened} onClick={() => setOpened(true)} />}>
      <OpenedMenu opened={opened} onChange={setOpened} />
    </Suspense>
  );
}
