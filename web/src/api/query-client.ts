import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

/** A browser that calls itself offline may reach the gateway all the same, on this machine or in its network. Requests must not wait in silence for it. */
const networkMode = 'always';

/** The cache of all answers. A request that the server could not serve is tried twice more; one that was refused, or ran into its time-out, is not. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < 2 && error instanceof ApiError && (error.code === 'unreachable' || error.status >= 500),
        refetchOnWindowFocus: true,
        networkMode,
      },
      mutations: { retry: false, networkMode },
    },
  });
}
