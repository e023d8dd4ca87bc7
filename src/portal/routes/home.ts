import type { FastifyInstance } from 'fastify';
import { succeed } from '../../http/index.ts';
import { accountHome } from '../home/account-home.ts';
import { administeredHome } from '../home/administered-home.ts';
import { signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { HomeView } from '../wire/index.ts';

/** GET /portal/api/home: what to know first. */
export function homeRoute(server: FastifyInstance, options: PortalOptions): void {
  server.get('/portal/api/home', { onRequest: signedIn(options) }, async (request, reply) => {
    const { acting, places } = request.visitor;
    const administers = places.some(({ role }) => role === 'operator' || role === 'provider_admin');
    const [account, administered] = await Promise.all([
      acting === null ? null : accountHome(options, request, acting),
      administers ? administeredHome(options, request) : null,
    ]);
    const view: HomeView = { account, administered };
    return succeed(request, reply, view);
  });
}
