import type { ReactNode } from 'react';
import { useActing } from '../../session/acting.ts';

interface AccountPageLinkProps {
  readonly accountId: string;
  /** The page, among those that every account has. */
  readonly href: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Leads to a page of an account that is not acted for yet: the tab acts for it from then on, and so does a new tab by its address. */
export function AccountPageLink({ accountId, href, ...rest }: AccountPageLinkProps) {
  const { actFor } = useActing();
  return (
    <a
      {...rest}
      href={`${href}${href.includes('?') ? '&' : '?'}account=${accountId}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        actFor(accountId, href);
      }}
    />
  );
}
