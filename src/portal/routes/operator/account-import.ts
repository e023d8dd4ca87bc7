import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  checkAccountTable,
  type ImportedRow,
  importAccount,
  importLineView,
  importTemplate,
  mostImportBytes,
} from '../../../accounts/index.ts';
import type { Brand } from '../../../branding/index.ts';
import { StoreUnavailable } from '../../../core/index.ts';
import { bound } from '../../bounds.ts';
import { endpoint } from '../../endpoint.ts';
import { id } from '../../fields.ts';
import { handInvitation, seenBy } from '../../invitations.ts';
import { sendFile } from '../../listing/csv.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { authorityOf, providerOfNew } from '../../reach.ts';
import type { AccountImport, ImportedLine } from '../../wire/customers.ts';

/** A request waits for its mails, so it makes only so many accounts. */
const mostAtOnce = 50;
const mailsAtOnce = 5;
/** Requests that invite owners, each with up to 50 mails. */
const mailingPerMinute = 6;

const file = z.object({
  csv: z.string().max(mostImportBytes, { error: 'must have at most 1 MB' }),
  provider_id: id.optional(),
  check: z.boolean(),
  after_line: z.int().min(0).max(1_000_000).default(0),
});

/** POST /portal/api/operator/accounts/import: accounts from a table, first checked, then made; and a template of the table. */
export function accountImportRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock, limiter } = options;
  const onRequest = administers(options, { providerAdmins: true });

  endpoint(server, 'GET /portal/api/operator/accounts/import.csv', { onRequest }, (_request, reply) =>
    sendFile(reply, 'accounts', importTemplate),
  );

  // Every character may take several bytes, and be escaped in JSON.
  const asked = { onRequest, body: file, bodyLimit: 3 * mostImportBytes };
  endpoint(server, 'POST /portal/api/operator/accounts/import', asked, async (request, reply): Promise<AccountImport> => {
    const { csv, provider_id, check, after_line } = request.body;
    const providerId = await providerOfNew(options, request, provider_id);
    const rows = await checkAccountTable(store, csv, providerId);
    if (check) return { lines: rows.map(importLineView), after_line: null };
    const next = rows.filter(({ line, state }) => line > after_line && state === 'ready').slice(0, mostAtOnce);
    if (next.some(({ ownerEmail }) => ownerEmail !== null)) {
      await bound(limiter, reply, { name: `imports of ${request.visitor.userId}`, perMinute: mailingPerMinute, scope: 'mails' });
    }
    const terms = { act: actOf(request, clock.now()), as: authorityOf(request.visitor), seenBy: seenBy(options, request) };
    const brand = await options.brands.ofProvider(providerId);
    const imported: ImportedRow[] = [];
    for (const row of next) {
      try {
        imported.push(await importAccount(store, row, providerId, terms));
      } catch (error) {
        // The owners of what was made still get their links; the request for the rest finds the store away or back.
        if (imported.length === 0 || !(error instanceof StoreUnavailable)) throw error;
        break;
      }
    }
    const last = imported.at(-1)?.row.line ?? Number.POSITIVE_INFINITY;
    const lines: ImportedLine[] = [];
    for (let start = 0; start < imported.length; start += mailsAtOnce) {
      const some = imported.slice(start, start + mailsAtOnce);
      lines.push(...(await Promise.all(some.map((one) => importedLine(request, one, brand)))));
    }
    const more = rows.some(({ line, state }) => line > last && state === 'ready');
    return { lines, after_line: more ? last : null };
  });

  async function importedLine(request: FastifyRequest, { row, made, failure }: ImportedRow, brand: Brand | null): Promise<ImportedLine> {
    if (made === null) return { ...importLineView(row), state: 'failed', mistakes: [failure] };
    const { account, invitation } = made;
    const created = { ...importLineView(row), state: 'created', account_id: account.id } as const;
    if (invitation === null || row.ownerEmail === null) return created;
    const place = { role: 'owner', accountId: account.id, providerId: null } as const;
    const handed = await handInvitation(options, request, invitation, { email: row.ownerEmail, place, leadsTo: account.name, brand });
    return { ...created, link: handed.link, mailed: handed.mailed };
  }
}
