import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useSession } from '../session/session.ts';
import { lastSearch } from './last-search.ts';

interface BackProps extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  readonly children: string;
}

/** Leads from the page of one thing to the list of all, as it was left; stands above the head of the page. */
export function Back({ children, ...place }: BackProps) {
  const session = useSession();
  const search = place.to === undefined ? {} : lastSearch(session, place.to);
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      px={4}
      mb="xs"
      leftSection={<IconArrowLeft size={16} aria-hidden />}
      renderRoot={(props) => <Link search={search as never} {...place} {...props} />}
    >
      {children}
    </Button>
  );
}
