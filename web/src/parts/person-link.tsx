import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A person's name with a link to their page, for those who administer them. */
export function PersonLink({ id, children }: { readonly id: string; readonly children?: ReactNode }) {
  return (
    <Anchor renderRoot={(props) => <Link to="/operator/users/$userId" params={{ userId: id }} {...props} />} fw={600} inherit>
      {children}
    </Anchor>
  );
}
