import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listKeys } from '../../accounts/index.ts';
import { GatewayError } from '../../core/index.ts';
import { succeed } from '../../http/index.ts';
import { visitorOf } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { DocsExamples } from '../wire/index.ts';

const none: DocsExamples = { instance_id: null, key_prefix: null };

/** GET /portal/api/docs-examples: what the API reference puts into its examples for a signed-in reader. Readers who are not signed in get nothing to put, which is no failure. */
export function docsExamplesRoute(server: FastifyInstance, options: PortalOptions): void {
  server.get('/portal/api/docs-examples', async (request, reply) => succeed(request, reply, await examplesFor(options, request)));
}

async function examplesFor(options: PortalOptions, request: FastifyRequest): Promise<DocsExamples> {
  try {
    const { acting } = await visitorOf(options, request);
    if (acting === null) return none;
    const numbers = [...(await options.sessions.states.ofAccount(acting.accountId))];
    const open = numbers.filter(({ status }) => status === 'open');
    // One of the sandbox first: what is tried with it reaches nobody.
    const number = open.find(({ network }) => network === 'sandbox') ?? open[0] ?? numbers[0];
    const key = (await listKeys(options.store, acting.accountId)).findLast(({ revoked_at }) => revoked_at === null);
    return { instance_id: number?.instanceId ?? null, key_prefix: key?.prefix ?? null };
  } catch (error) {
    if (error instanceof GatewayError) return none;
    throw error;
  }
}
