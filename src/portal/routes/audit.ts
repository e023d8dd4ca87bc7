import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type AuditEntry, listAudit } from '../../accounts/index.ts';
import { succeed } from '../../http/index.ts';
import { id, limit } from '../fields.ts';
import { actingFor, actsForAccount, administers } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { accountInReach, reachOf } from '../reach.ts';
import { iso } from '../times.ts';
import type { AuditEntry as AuditEntryView } from '../wire/index.ts';

const page = z.object({
  before: z
    .string()
    .regex(/^[0-9]{1,15}$/, { error: 'must be what an earlier page gave' })
    .transform(Number)
    .optional(),
  limit: limit(200, 50),
});
const operatorPage = page.extend({ account_id: id.optional() });

/** GET /portal/api/audit of the acting account, for its owners; GET /portal/api/operator/audit of everything in reach. */
export function auditRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store } = options;

  server.get<{ Querystring: z.output<typeof page> }>(
    '/portal/api/audit',
    { schema: { querystring: page }, onRequest: actsForAccount(options, ['operator', 'provider_admin', 'owner']) },
    async (request, reply) => {
      const { accountId } = actingFor(request);
      return succeed(request, reply, pageView(await listAudit(store, { accountId, ...request.query }), request.query.limit));
    },
  );

  server.get<{ Querystring: z.output<typeof operatorPage> }>(
    '/portal/api/operator/audit',
    { schema: { querystring: operatorPage }, onRequest: administers(options, { providerAdmins: true }) },
    async (request, reply) => {
      const { account_id, ...rest } = request.query;
      const accountId = account_id === undefined ? undefined : (await accountInReach(options, request, account_id)).id;
      // A provider's admin sees of an account what happened while it was the provider's.
      const providerIds = reachOf(request.visitor).providerIds ?? undefined;
      return succeed(request, reply, pageView(await listAudit(store, { accountId, providerIds, ...rest }), rest.limit));
    },
  );
}

function pageView(entries: readonly AuditEntry[], asked: number) {
  // A full page may be the last one; the next is empty then.
  const last = entries.length === asked ? entries.at(-1) : undefined;
  return { entries: entries.map(entryView), before: last === undefined ? null : String(last.id) };
}

function entryView(entry: AuditEntry): AuditEntryView {
  return {
    audit_id: String(entry.id),
    at: iso(entry.at),
    actor_kind: entry.actor_kind,
    actor_name: entry.actor_name,
    action: entry.action,
    target_kind: entry.target_kind,
    target_id: entry.target_id,
    target_name: entry.target_name,
    account_id: entry.account_id,
    account_name: entry.account_name,
    details: entry.details,
  };
}
