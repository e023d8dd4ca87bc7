import type { SessionPath } from '../http/index.ts';
import { actingFor, visitorOf } from './person.ts';
import { holdsSession } from './sign-in/sign-in.ts';
import type { PortalWorld } from './world.ts';

/** Lets signed-in people use the API's own endpoints for the account they act for. */
export function sessionPath(world: Pick<PortalWorld, 'signIn' | 'store' | 'publicUrl'>): SessionPath {
  return {
    isTaken: ({ headers }) => holdsSession(headers.cookie) || headers['x-portal'] === '1',
    async admit(request) {
      request.visitor = await visitorOf(world, request);
      const { userId, email } = request.visitor;
      return { person: { id: userId, email }, terms: actingFor(request).terms };
    },
  };
}
