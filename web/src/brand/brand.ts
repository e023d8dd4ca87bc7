import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import type { BrandView } from '../../../src/portal/wire/brand.ts';
import { sessionQuery } from '../session/session.ts';

/** What the gateway calls itself where no brand names it. */
const ownName = 'Messaging Gateway';
const ownLogo = '/assets/icon.svg';

/** The brand of the host, as the server put it into the document; null: none. */
function brandOfHost(): BrandView | null {
  const content = document.querySelector('meta[name="brand"]')?.getAttribute('content');
  return content == null ? null : (JSON.parse(content) as BrandView);
}

/** The brand of the account that a scan link leads to; the page of the link sets it. */
export const linkBrandQuery = queryOptions<BrandView | null>({ queryKey: ['link-brand'], queryFn: skipToken });

/** How this service is called and looks: as the account's provider says, before the sign-in as the link or the host does. */
export function useBrand(): { readonly name: string; readonly logo: string; readonly colour: string | null } {
  // Only what is known already: it is asked for by the pages.
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const { data: ofLink } = useQuery(linkBrandQuery);
  const brand = session == null ? (ofLink ?? brandOfHost()) : session.brand;
  return { name: brand?.name ?? ownName, logo: brand?.logo ?? ownLogo, colour: brand?.colour ?? null };
}
