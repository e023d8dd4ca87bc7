import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type AuditAction, type AuditEntry, type AuditFilter, auditActions, auditSorts, auditView, findAudit } from '../../audit/index.ts';
import { moment } from '../../core/index.ts';
import { id, plainText, search } from '../fields.ts';
import { listRoutes } from '../listing/list.ts';
import { accountFromQuery, actingFor, actsForAccount, administers } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { accountInReach, reachOf } from '../reach.ts';
import type { AuditEntry as AuditEntryView } from '../wire/operator.ts';

/** What one action is called, and all of those of one kind of object. */
const kinds = [...new Set(auditActions.map((action) => action.slice(0, action.indexOf('.'))))];
const action = z
  .enum([...kinds, ...auditActions], { error: 'must be an action of the audit log, or what stands before its dot' })
  .transform((word) => auditActions.filter((one) => one === word || one.startsWith(`${word}.`)) as readonly AuditAction[])
  .optional();

const filters = {
  action,
  /** An e-mail address or a key's prefix. */
  actor: plainText(320)
    .transform((text) => (text.trim() === '' ? undefined : text.trim().toLowerCase()))
    .optional(),
  /** The beginning of what the object is or was called. */
  name: search,
  from: moment.optional(),
  to: moment.optional(),
};

type Conditions = { readonly [Name in keyof typeof filters]?: z.output<(typeof filters)[Name]> };

const common = {
  file: 'audit-log',
  sorts: auditSorts,
  ids: 'number',
  usual: '-at',
  columns: {
    at: (entry: AuditEntryView) => entry.at,
    actor_kind: (entry: AuditEntryView) => entry.actor_kind,
    actor_name: (entry: AuditEntryView) => entry.actor_name,
    action: (entry: AuditEntryView) => entry.action,
    target_id: (entry: AuditEntryView) => entry.target_id,
    target_name: (entry: AuditEntryView) => entry.target_name,
    account_id: (entry: AuditEntryView) => entry.account_id,
    account_name: (entry: AuditEntryView) => entry.account_name,
    details: (entry: AuditEntryView) => JSON.stringify(entry.details),
  },
} as const;

/** GET /portal/api/audit of the acting account, for its owners; GET /portal/api/operator/audit of everything in reach. */
export function auditRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store } = options;

  listRoutes(server, options, {
    ...common,
    path: '/portal/api/audit',
    filters,
    view: (_request, rows: readonly AuditEntry[]) => rows.map((entry) => entryView(entry, false)),
    onRequest: [accountFromQuery, actsForAccount(options, ['operator', 'provider_admin', 'owner'])],
    read: (request, query, part) => findAudit(store, { ...conditions(query), accountId: actingFor(request).accountId }, part),
  });

  listRoutes(server, options, {
    ...common,
    path: '/portal/api/operator/audit',
    filters: { ...filters, account_id: id.optional() },
    onRequest: [administers(options, { providerAdmins: true })],
    view: ({ visitor }, rows: readonly AuditEntry[]) => rows.map((entry) => entryView(entry, reachOf(visitor).providerIds === null)),
    async read(request, { account_id, ...query }, part) {
      const accountId = account_id === undefined ? undefined : (await accountInReach(options, request, account_id)).id;
      // A provider's admin sees of an account what happened while it was the provider's.
      const providerIds = reachOf(request.visitor).providerIds ?? undefined;
      return findAudit(store, { ...conditions(query), accountId, providerIds }, part);
    },
  });
}

function conditions({ action, actor, name, from, to }: Conditions): AuditFilter {
  return { actions: action, actor, name, from, to };
}

/** `actors`: with the ids of who acted, who may not be known to the reader otherwise. */
function entryView(entry: AuditEntry, actors: boolean): AuditEntryView {
  const { audit_id, provider_id, actor_id, ...view } = auditView(entry);
  return { ...view, audit_id: String(audit_id), actor_id: actors ? actor_id : null };
}
