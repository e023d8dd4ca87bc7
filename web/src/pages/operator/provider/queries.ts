import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { operatorKey } from '../../../api/queries.ts';

/** How a provider shows itself. */
export function brandQuery(providerId: string) {
  return queryOptions({
    queryKey: [...operatorKey, 'brand', providerId],
    queryFn: ({ signal }) => call('GET /portal/api/operator/providers/:id/brand', { params: { id: providerId }, signal }),
  });
}
