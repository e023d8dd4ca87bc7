import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';

/** Where the person is signed in, the newest first. */
export const browsersQuery = queryOptions({
  queryKey: ['browsers'],
  queryFn: async () => (await call('GET /portal/api/browsers')).browsers,
});
