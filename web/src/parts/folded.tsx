import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';

/** Something that is shown once it is asked for, and may be loaded then. */
export function Folded({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const [opened, { toggle }] = useDisclosure(false);
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        px={4}
        leftSection={opened ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
        aria-expanded={opened}
        onClick={toggle}
        mb={opened ? 'sm' : 0}
      >
        {label}
      </Button>
      {opened && <Suspense>{children}</Suspense>}
    </div>
  );
}
