import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ErrorCode, isFailure, parts } from '../../core/index.ts';
import type { InnerRequest } from '../../http/index.ts';
import { bound } from '../bounds.ts';
import { endpoint, type Hook } from '../endpoint.ts';
import { id } from '../fields.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { BulkBefore, BulkResult, BulkTerms, BulkView } from '../wire/listing.ts';

/** Objects that one request may name: even disconnecting so many numbers ends before anybody stops waiting. */
export const mostAtOnce = 100;
const requestsPerMinute = 120;
/** How many are worked on at the same time. */
const sideBySide = 4;

/** What every request for many objects names. */
export const bulkFields = {
  ids: z
    .array(id.transform((text) => text.toLowerCase()))
    .min(1, { error: 'must name at least one' })
    .max(mostAtOnce, { error: `must name at most ${mostAtOnce}` })
    .transform((ids) => [...new Set(ids)]),
  /** Only answers what would become of each. */
  preview: z.boolean().default(false),
};

type Reason = NonNullable<BulkResult['reason']>;

/** What is to be done with an object, or why nothing is. */
export interface Intention {
  /** null when there is none that the person may see. */
  readonly name: string | null;
  /** What several have in common, as the same object, is asked for once. */
  readonly work: readonly InnerRequest[] | Reason;
  readonly before?: BulkBefore;
  readonly after?: BulkTerms;
  readonly mail?: { readonly to: readonly string[]; readonly accountId: string };
}

/** Why nothing is done with an object. */
export const reason = (code: ErrorCode | 'nothing_to_do', message: string): Reason => ({ code, message });

interface Bulk<Body extends { readonly ids: readonly string[]; readonly preview: boolean }> {
  readonly path: string;
  readonly body: z.ZodType<Body>;
  readonly onRequest: Hook;
  /** What is to be done with each object, by id; what is not there is not the person's to see. */
  intend(request: FastifyRequest, body: Body): Promise<ReadonlyMap<string, Intention>>;
  /** Such as `account`. */
  readonly what: string;
}

/** POST of one action for many objects: each through the endpoint that does it for one. */
export function bulkRoute<Body extends { readonly ids: readonly string[]; readonly preview: boolean }>(
  server: FastifyInstance,
  { limiter }: PortalOptions,
  { path, body: schema, onRequest, intend, what }: Bulk<Body>,
): void {
  endpoint(server, `POST ${path}`, { body: schema, onRequest }, async (request, reply): Promise<BulkView> => {
    const { userId } = request.visitor;
    await bound(limiter, reply, { name: `bulk of ${userId}`, perMinute: requestsPerMinute, scope: 'bulk' });
    const { body } = request;
    const intentions = await intend(request, body);
    const results: BulkResult[] = [];
    const run = once((inner: InnerRequest) => server.innerRequests.run(request, inner));
    for (const some of parts(body.ids, sideBySide))
      results.push(...(await Promise.all(some.map((one) => result(run, one, intentions.get(one), body.preview)))));
    return { results };
  });

  async function result(
    run: (inner: InnerRequest) => ReturnType<typeof server.innerRequests.run>,
    id: string,
    intention: Intention | undefined,
    preview: boolean,
  ): Promise<BulkResult> {
    const { name = null, before = null, after = null, mail } = intention ?? {};
    const base = { id, name, link: null, before, after, mail_to: mail?.to ?? null, mail_account_id: mail?.accountId ?? null };
    if (intention === undefined) return { ...base, outcome: 'skipped', reason: reason('not_found', `There is no such ${what}.`) };
    if (!isWork(intention.work)) return { ...base, outcome: 'skipped', reason: intention.work };
    if (preview) return { ...base, outcome: 'possible', reason: null };
    let link: string | null = null;
    for (const inner of intention.work) {
      const { status, error, data } = await run(inner);
      if (error !== null) {
        const { code, message } = error;
        return { ...base, outcome: isFailure(status) ? 'unknown' : 'failed', reason: { code, message } };
      }
      link = linkIn(data) ?? link;
    }
    return { ...base, link, outcome: 'done', reason: null };
  }
}

/** Gives the answer to the same question again. */
function once<Asked, Answer>(ask: (asked: Asked) => Answer): (asked: Asked) => Answer {
  const answers = new Map<Asked, Answer>();
  return (asked) => {
    const known = answers.get(asked) ?? ask(asked);
    answers.set(asked, known);
    return known;
  };
}

/** An invitation answers its link. */
function linkIn(data: unknown): string | null {
  return typeof data === 'object' && data !== null && 'link' in data && typeof data.link === 'string' ? data.link : null;
}

const isWork = (work: Intention['work']): work is readonly InnerRequest[] => Array.isArray(work);
