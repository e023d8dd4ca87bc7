import type { FastifyInstance } from 'fastify';
import { acceptedJson, succeed } from '../../http/index.ts';
import { allKinds, type Kind } from '../../kinds/index.ts';
import { samplesAt } from '../../samples/index.ts';
import { portalAddress } from '../link-address.ts';
import { signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { KindView } from '../wire/index.ts';

/** GET /portal/api/kinds: what the forms of the message kinds are made from. */
export function kindsRoute(server: FastifyInstance, options: PortalOptions): void {
  let kinds: string | null = null;
  server.get('/portal/api/kinds', { onRequest: signedIn(options) }, async (request, reply) => {
    kinds ??= JSON.stringify(allKinds.map(kindView));
    return succeed(request, reply, { kinds: JSON.parse(samplesAt(kinds, portalAddress(options, request))) });
  });
}

function kindView({ type, summary, description, schema, examples, media, bestEffortNote }: Kind): KindView {
  return {
    type,
    summary,
    description: description ?? null,
    schema: { ...acceptedJson(schema) },
    examples,
    media: media?.as ?? null,
    best_effort_note: bestEffortNote,
  };
}
