import { queryOptions } from '@tanstack/react-query';
import type { ProviderBrand } from '../../../../../src/portal/wire/index.ts';
import { call } from '../../../api/client.ts';
import { operatorKey } from '../../../api/queries.ts';

/** Where the brand of a provider is. */
export const brandPath = (providerId: string): string => `/portal/api/operator/providers/${encodeURIComponent(providerId)}/brand`;

/** How a provider shows itself. */
export function brandQuery(providerId: string) {
  return queryOptions({
    queryKey: [...operatorKey, 'brand', providerId],
    queryFn: ({ signal }) => call<ProviderBrand>(brandPath(providerId), { signal }),
  });
}
