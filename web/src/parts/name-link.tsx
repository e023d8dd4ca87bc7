import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './name-link.module.css';

interface NameLinkProps {
  readonly link: LinkProps;
  readonly children?: ReactNode;
}

/** The name of something, with the link to its page. It looks like the library's link, which takes three times as long to draw: a list has a hundred. */
export function NameLink({ link, children }: NameLinkProps) {
  return (
    // A table cuts what is longer than its column.
    <Link {...link} className={`mantine-focus-auto ${classes.link}`} title={typeof children === 'string' ? children : undefined}>
      {children}
    </Link>
  );
}
