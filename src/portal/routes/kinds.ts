import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listKeys } from '../../accounts/index.ts';
import { GatewayError } from '../../core/index.ts';
import { acceptedJson, succeed } from '../../http/index.ts';
import { allKinds, type Kind } from '../../kinds/index.ts';
import { samplesAt } from '../../samples/index.ts';
import { portalAddress } from '../brand-of.ts';
import { endpoint } from '../endpoint.ts';
import { textsFor } from '../language.ts';
import { boundClient, boundPerson, signedIn, type Visitor, visitorOf } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { DocsExamples } from '../wire/account.ts';
import type { KindView } from '../wire/sending.ts';

/** GET /portal/api/kinds: what the forms of the message kinds are made from. */
export function kindsRoute(server: FastifyInstance, options: PortalOptions): void {
  /** By language. */
  const made = new Map<string, string>();
  endpoint(server, 'GET /portal/api/kinds', { onRequest: signedIn(options) }, (request) => {
    const { language, known } = textsFor(options, request);
    const kinds = made.get(language) ?? JSON.stringify(allKinds.map((kind) => kindView(kind, known)));
    made.set(language, kinds);
    return { kinds: JSON.parse(samplesAt(kinds, portalAddress(options, request))) };
  });
}

/** What a form of the kind is made from. `inWords` gives the language's text for an English one. */
export function kindView(
  { type, summary, description, schema, examples, media, bestEffortNote }: Kind,
  inWords: (english: string) => string,
): KindView {
  return {
    type,
    summary: inWords(summary),
    description: description === undefined ? null : inWords(description),
    schema: { ...inLanguage(acceptedJson(schema), inWords) },
    examples,
    media: media?.as ?? null,
    best_effort_note: bestEffortNote === null ? null : inWords(bestEffortNote),
  };
}

/** A schema whose titles and descriptions are in the language. Fields may have these names too: then they are schemas. */
function inLanguage<Schema extends object>(schema: Schema, inWords: (english: string) => string): Schema {
  return JSON.parse(JSON.stringify(schema), (name, value) =>
    (name === 'description' || name === 'title') && typeof value === 'string' ? inWords(value) : value,
  );
}

const none: DocsExamples = { instance_id: null, key_prefix: null };

/** GET /portal/api/docs-examples: what the API reference puts into its examples for a signed-in reader. Readers who are not signed in get nothing to put, which is no failure. */
export function docsExamplesRoute(server: FastifyInstance, options: PortalOptions): void {
  server.get('/portal/api/docs-examples', async (request, reply) => {
    const reader = await readerOf(options, request);
    await (reader === null ? boundClient(options, request, reply) : boundPerson(options, reader, reply));
    return succeed(request, reply, await examplesFor(options, reader));
  });
}

/** null: nobody who is signed in. */
async function readerOf(options: PortalOptions, request: FastifyRequest): Promise<Visitor | null> {
  try {
    return await visitorOf(options, request);
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

async function examplesFor({ sessions, store }: PortalOptions, reader: Visitor | null): Promise<DocsExamples> {
  const accountId = reader?.acting?.accountId;
  if (accountId === undefined) return none;
  const numbers = [...(await sessions.states.ofAccount(accountId))];
  const open = numbers.filter(({ status }) => status === 'open');
  // One of the sandbox first: what is tried with it reaches nobody.
  const number = open.find(({ network }) => network === 'sandbox') ?? open[0] ?? numbers[0];
  const key = (await listKeys(store, accountId)).findLast(({ revoked_at }) => revoked_at === null);
  return { instance_id: number?.instanceId ?? null, key_prefix: key?.prefix ?? null };
}
