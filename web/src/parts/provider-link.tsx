import { linkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { NameLink } from './name-link.tsx';

/** A provider's name with a link to its page, for operators and its admins. */
export function ProviderLink({ id, children }: { readonly id: string; readonly children?: ReactNode }) {
  return <NameLink link={linkOptions({ to: '/operator/providers/$providerId', params: { providerId: id } })}>{children}</NameLink>;
}
