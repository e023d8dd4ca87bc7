import { queryOptions } from '@tanstack/react-query';
import type { SignedInBrowser } from '../../../../../src/portal/wire/index.ts';
import { call } from '../../../api/client.ts';

/** Where the person is signed in, the newest first. */
export const browsersQuery = queryOptions({
  queryKey: ['browsers'],
  queryFn: async () => (await call<{ readonly browsers: readonly SignedInBrowser[] }>('/portal/api/browsers')).browsers,
});
