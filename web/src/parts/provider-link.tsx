import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A provider's name with a link to its page, for operators and its admins. */
export function ProviderLink({ id, children }: { readonly id: string; readonly children?: ReactNode }) {
  return (
    <Anchor renderRoot={(props) => <Link to="/operator/providers/$providerId" params={{ providerId: id }} {...props} />} fw={600} inherit>
      {children}
    </Anchor>
  );
}
