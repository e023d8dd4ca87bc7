import type { FastifyInstance } from 'fastify';
import { acceptedJson, succeed } from '../../http/index.ts';
import { allKinds, type Kind } from '../../kinds/index.ts';
import { signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { KindView } from '../wire/index.ts';

/** GET /portal/api/kinds: what the forms of the message kinds are made from. */
export function kindsRoute(server: FastifyInstance, options: PortalOptions): void {
  let kinds: readonly KindView[] | null = null;
  server.get('/portal/api/kinds', { onRequest: signedIn(options) }, async (request, reply) => {
    kinds ??= allKinds.map(kindView);
    return succeed(request, reply, { kinds });
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
