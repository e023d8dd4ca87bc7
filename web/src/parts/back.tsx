import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';

interface BackProps extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  readonly children: string;
}

/** Leads from the page of one thing to the list of all; stands above the head of the page. */
export function Back({ children, ...to }: BackProps) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      px={4}
      mb="xs"
      leftSection={<IconArrowLeft size={16} aria-hidden />}
      renderRoot={(props) => <Link {...to} {...props} />}
    >
      {children}
    </Button>
  );
}
