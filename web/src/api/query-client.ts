import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

/** The cache of everything that was asked. What the caller did wrong is not asked again; what the server could not do is, twice. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false },
    },
  });
}
