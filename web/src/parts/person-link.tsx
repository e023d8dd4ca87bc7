import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type PagesOfPeople, personPage } from './people/pages.ts';

interface PersonLinkProps {
  readonly id: string;
  readonly pages: PagesOfPeople;
  readonly children?: ReactNode;
}

/** A person's name with a link to their page. */
export function PersonLink({ id, pages, children }: PersonLinkProps) {
  return (
    <Anchor renderRoot={(props) => <Link {...personPage(id, pages)} {...props} />} fw={600} inherit>
      {children}
    </Anchor>
  );
}
