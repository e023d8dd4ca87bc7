import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type AccountChanges,
  type AccountSummary,
  checkNote,
  createCustomer,
  listPlans,
  noteOf,
  noteView,
  updateAccount,
  writeNote,
} from '../../../accounts/index.ts';
import { memberView, selectMembers } from '../../../people/index.ts';
import { endpoint } from '../../endpoint.ts';
import { checkedText } from '../../fields.ts';
import { boundMails, handInvitation, seenBy } from '../../invitations.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { accountInReach, authorityOf, operatorsAlone, providerOfNew } from '../../reach.ts';
import { accountView } from '../../views.ts';
import type { AccountNoteView } from '../../wire/customers.ts';
import type { AccountDetail, NewAccountView } from '../../wire/operator.ts';
import { accountChange, newAccount } from './account-terms.ts';

const note = z.object({ text: checkedText(checkNote, 'must be plain text', 20_000) });

/** One account and the note about it, for an operator or the admin of its provider. */
export function operatorAccountRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = administers(options, { providerAdmins: true });
  const inReach = (request: FastifyRequest, id: string) => accountInReach(options, request, id);

  endpoint(server, 'GET /portal/api/operator/accounts/:id', { onRequest }, async (request) =>
    detail(await inReach(request, request.params.id)),
  );

  endpoint(
    server,
    'POST /portal/api/operator/accounts',
    { onRequest, body: newAccount },
    async (request, reply): Promise<NewAccountView> => {
      const { body } = request;
      const as = authorityOf(request.visitor);
      operatorsAlone(request, body, ['operator', 'free_slots']);
      const providerId = as === 'provider' ? await providerOfNew(options, request, body.provider_id) : body.provider_id;
      const email = body.owner_email ?? null;
      if (email !== null) await boundMails(options, request, reply, { accountId: null, providerId: providerId ?? null });
      const changes = { ...changesOf(body), name: body.name, providerId };
      const owner = { email, seenBy: seenBy(options, request) };
      // Before the account is made: a failure to read them must not hide that there is one.
      const brand = email === null ? null : await options.brands.ofProvider((providerId ?? 'default').toLowerCase());
      const plans = await listPlans(store);
      const { account, invitation } = await createCustomer(store, changes, owner, actOf(request, clock.now()), as);
      const place = { role: 'owner', accountId: account.id, providerId: null } as const;
      const handed =
        email === null || invitation === null
          ? null
          : await handInvitation(options, request, invitation, { email, place, leadsTo: account.name, brand });
      return { ...accountView(account, plans), reference: account.reference, members: [], invitation: handed };
    },
  );

  endpoint(server, 'PATCH /portal/api/operator/accounts/:id', { onRequest, body: accountChange }, async (request) => {
    const current = await inReach(request, request.params.id);
    operatorsAlone(request, request.body, ['provider_id', 'operator', 'free_slots']);
    const act = actOf(request, clock.now());
    return detail(await updateAccount(store, current.id, changesOf(request.body), act, authorityOf(request.visitor)));
  });

  endpoint(server, 'GET /portal/api/operator/accounts/:id/note', { onRequest }, async (request): Promise<AccountNoteView> => {
    const { id } = await inReach(request, request.params.id);
    return noteView(await noteOf(store, id));
  });

  const ofNote = { onRequest, body: note };
  endpoint(server, 'PUT /portal/api/operator/accounts/:id/note', ofNote, async (request): Promise<AccountNoteView> => {
    const { id } = await inReach(request, request.params.id);
    return noteView(await writeNote(store, id, request.body.text, actOf(request, clock.now())));
  });

  async function detail(account: AccountSummary): Promise<AccountDetail> {
    const [plans, members] = await Promise.all([listPlans(store), selectMembers(store.db, account.id)]);
    return { ...accountView(account, plans), reference: account.reference, members: members.map(memberView) };
  }
}

function changesOf(body: z.output<typeof accountChange>): AccountChanges {
  return {
    name: body.name,
    providerId: body.provider_id,
    status: body.status,
    plan: body.plan,
    planEndsAt: body.plan_ends_at,
    accessEndsAt: body.access_ends_at,
    instanceLimit: body.instance_limit,
    operator: body.operator,
    freeSlots: body.free_slots,
    reference: body.reference,
  };
}
