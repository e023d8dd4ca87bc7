import { linkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { NameLink } from './name-link.tsx';

/** An account's name with a link to its page. */
export function AccountLink({ id, children }: { readonly id: string; readonly children?: ReactNode }) {
  return <NameLink link={linkOptions({ to: '/operator/accounts/$accountId', params: { accountId: id } })}>{children}</NameLink>;
}
