import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type AuditAction, type AuditEntry, type AuditFilter, auditActions, auditSorts, auditView, findAudit } from '../../audit/index.ts';
import { moment } from '../../core/index.ts';
import type { ListPage, ListRequest, Mark } from '../../store/index.ts';
import { id, plainText, search } from '../fields.ts';
import { hiddenId, openPlace, sealPlace } from '../listing/hidden.ts';
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

/** An entry without its number. */
type HiddenEntry = Omit<AuditEntry, 'id'> & { readonly id: string };

const common = {
  file: 'audit-log',
  // Its places are sealed.
  sorts: { at: { ...auditSorts.at, type: 'text' } },
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
  const { store, vault } = options;

  listRoutes(server, options, {
    ...common,
    path: '/portal/api/audit',
    filters,
    view: (_request, rows: readonly HiddenEntry[]) => rows.map((entry) => entryView(entry, false)),
    onRequest: [accountFromQuery, actsForAccount(options, ['operator', 'provider_admin', 'owner'])],
    read(request, query, part) {
      const { accountId } = actingFor(request);
      return entries({ ...conditions(query), accountId }, part, `audit log of ${accountId}`);
    },
  });

  listRoutes(server, options, {
    ...common,
    path: '/portal/api/operator/audit',
    filters: { ...filters, account_id: id.optional() },
    onRequest: [administers(options, { providerAdmins: true })],
    view: ({ visitor }, rows: readonly HiddenEntry[]) => rows.map((entry) => entryView(entry, reachOf(visitor).providerIds === null)),
    async read(request, { account_id, ...query }, part) {
      const accountId = account_id === undefined ? undefined : (await accountInReach(options, request, account_id)).id;
      // A provider's admin sees of an account what happened while it was the provider's.
      const providerIds = reachOf(request.visitor).providerIds ?? undefined;
      return entries({ ...conditions(query), accountId, providerIds }, part, `audit log for ${request.visitor.userId}`);
    },
  });

  /** Its marks are places for this reader. */
  async function entries(filter: AuditFilter, { from, ...part }: ListRequest<'at'>, reader: string): Promise<ListPage<HiddenEntry>> {
    const [place = 0] = from === null ? [] : await openPlace(vault, reader, String(from.mark.key), from.direction);
    const begin = from && { direction: from.direction, mark: { key: place, id: place } };
    const { rows, next, previous, total } = await findAudit(store, filter, { ...part, from: begin });
    const sealed = (mark: Mark | null) => mark && { key: sealPlace(vault, reader, [Number(mark.id)]), id: '' };
    return { rows: rows.map((row) => ({ ...row, id: hiddenId(vault, row.id) })), next: sealed(next), previous: sealed(previous), total };
  }
}

function conditions({ action, actor, name, from, to }: Conditions): AuditFilter {
  return { actions: action, actor, name, from, to };
}

/** `actors`: with the ids of who acted, who may not be known to the reader otherwise. */
function entryView(entry: HiddenEntry, actors: boolean): AuditEntryView {
  const { provider_id, actor_id, ...view } = auditView(entry);
  return { ...view, actor_id: actors ? actor_id : null };
}
