import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';

/** A dialog about one of several things. `about` is the last one asked about, and stays while the dialog fades out; null: none yet. */
export function useQuestion<About>() {
  const [about, setAbout] = useState<About | null>(null);
  const [opened, { open, close }] = useDisclosure(false);
  return {
    about,
    opened,
    ask(next: About) {
      setAbout(next);
      open();
    },
    close,
  };
}
