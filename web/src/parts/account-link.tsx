import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** An account's name with a link to its page. */
export function AccountLink({ id, children }: { readonly id: string; readonly children?: ReactNode }) {
  return (
    <Anchor renderRoot={(props) => <Link to="/operator/accounts/$accountId" params={{ accountId: id }} {...props} />} fw={600} inherit>
      {children}
    </Anchor>
  );
}
