import type { ReactNode } from 'react';
import { NameLink } from './name-link.tsx';
import { type PagesOfPeople, personPage } from './people/pages.ts';

interface PersonLinkProps {
  readonly id: string;
  readonly pages: PagesOfPeople;
  readonly children?: ReactNode;
}

/** A person's name with a link to their page. */
export function PersonLink({ id, pages, children }: PersonLinkProps) {
  return <NameLink link={personPage(id, pages)}>{children}</NameLink>;
}
