import type { PortalPath } from '../http/index.ts';
import { actingFor, visitorOf } from './person.ts';
import type { PortalOptions } from './portal-options.ts';
import { holdsSession } from './sign-in/sign-in.ts';

/** Lets signed-in people use the API's own endpoints for the account they act for. */
export function portalPath(options: Pick<PortalOptions, 'signIn' | 'store' | 'publicUrl'>): PortalPath {
  return {
    isTaken: ({ headers }) => holdsSession(headers.cookie) || headers['x-portal'] === '1',
    async admit(request) {
      request.visitor = await visitorOf(options, request);
      const { userId, email } = request.visitor;
      return { person: { id: userId, email }, terms: actingFor(request).terms };
    },
  };
}
