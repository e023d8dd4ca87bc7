import type { FastifyInstance } from 'fastify';
import { succeed } from '../../http/index.ts';
import { allKinds } from '../../kinds/index.ts';
import { samplesAt } from '../../samples/index.ts';
import { kindView } from '../kind-view.ts';
import { textsFor } from '../language.ts';
import { portalAddress } from '../link-address.ts';
import { signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';

/** GET /portal/api/kinds: what the forms of the message kinds are made from. */
export function kindsRoute(server: FastifyInstance, options: PortalOptions): void {
  /** By language. */
  const made = new Map<string, string>();
  server.get('/portal/api/kinds', { onRequest: signedIn(options) }, async (request, reply) => {
    const { language, known } = textsFor(options, request);
    const kinds = made.get(language) ?? JSON.stringify(allKinds.map((kind) => kindView(kind, known)));
    made.set(language, kinds);
    return succeed(request, reply, { kinds: JSON.parse(samplesAt(kinds, portalAddress(options, request))) });
  });
}
