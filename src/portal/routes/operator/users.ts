import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { brandedMail, serviceOf } from '../../../branding/index.ts';
import { GatewayError, iso } from '../../../core/index.ts';
import {
  countSessions,
  isWithin,
  languageOf,
  passwordResetLink,
  passwordResetMail,
  peopleSorts,
  placeOf,
  removeRole,
  selectPeople,
  selectPeoplePage,
  type UserWithRoles,
  userView,
} from '../../../people/index.ts';
import { linkAddress, linksBegin } from '../../brand-of.ts';
import { endpoint } from '../../endpoint.ts';
import { id, isId, role, search } from '../../fields.ts';
import { boundMails, seenBy, seesLinks } from '../../invitations.ts';
import { spokenTo } from '../../language.ts';
import { bulkFields, bulkRoute, type Intention, reason } from '../../listing/bulk.ts';
import { columnsOf } from '../../listing/csv.ts';
import { listRoutes } from '../../listing/list.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { notThere, placeInReach, reachOf } from '../../reach.ts';
import type { PasswordResetView, UserDetail, UserView } from '../../wire/operator.ts';

const place = z.object({ role, account_id: id.nullish(), provider_id: id.nullish() });
/** With `role` only roles of this kind. */
const removal = z.object({ ...bulkFields, action: z.literal('remove_roles'), role: role.optional() });

/** People, their passwords and roles: everybody for an operator, for an admin those with a role at the provider and its accounts. */
export function userRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = administers(options, { providerAdmins: true });

  listRoutes(server, options, {
    path: '/portal/api/operator/users',
    file: 'people',
    sorts: peopleSorts,
    usual: '-created',
    filters: { search, role: role.optional() },
    onRequest: [onRequest],
    read: (request, { search, role }, part) => selectPeoplePage(store.db, { ...reachOf(request.visitor), search, role }, part),
    view: (_request, rows) => rows.map(userView),
    columns: {
      ...columnsOf<UserView>('user_id', 'email', 'email_verified', 'name', 'two_factor'),
      roles: ({ memberships }) =>
        memberships
          .map(({ role, account_name, provider_name }) => [role, account_name ?? provider_name].filter(Boolean).join(' '))
          .join('; '),
      ...columnsOf<UserView>('created_at', 'last_seen_at'),
    },
  });

  bulkRoute(server, options, {
    path: '/portal/api/operator/users/bulk',
    body: removal,
    onRequest,
    what: 'person',
    async intend(request, { ids, role }) {
      const reach = reachOf(request.visitor);
      const people = await selectPeople(store.db, ids, reach);
      const seen = people.filter(({ memberships }) => reach.providerIds === null || memberships.length > 0);
      return new Map(seen.map((person) => [person.id, intention(person, role, request.visitor.userId)]));
    },
  });

  endpoint(server, 'GET /portal/api/operator/users/:id', { onRequest }, async (request): Promise<UserDetail> => {
    const person = await personInReach(request, request.params.id);
    const [language, browsers] = await Promise.all([languageOf(store.db, person.id), countSessions(store.db, person.id, clock.now())]);
    return { ...userView(person), language, browsers };
  });

  const ofReset = 'POST /portal/api/operator/users/:id/password-reset';
  endpoint(server, ofReset, { onRequest }, async (request, reply): Promise<PasswordResetView> => {
    const { id, email, memberships } = await personInReach(request, request.params.id);
    const { providerIds } = reachOf(request.visitor);
    const providers: (string | null)[] = [];
    for (const membership of memberships) providers.push(await placeInReach(options, request, placeOf(membership)));
    if (providerIds !== null && !(await isWithin(store.db, id, providerIds)))
      throw new GatewayError('forbidden', 'This person has a role elsewhere too; ask an operator for the new password.');
    await boundMails(options, request, reply, null);
    // A provider reads of it in its log when one of its own admins made the link for somebody of its own.
    const providerId = providerIds === null ? undefined : (providers[0] ?? undefined);
    const resetOptions = { providerId, seenBy: seenBy(options, request) };
    // Before the link is made: a failure to read it must not hide that there is one.
    const brand = await options.brands.ofPerson(id);
    const made = await passwordResetLink(store, email, actOf(request, clock.now()), resetOptions);
    const link = linkAddress(linksBegin(options, request, brand), made.token);
    const mail = passwordResetMail(await spokenTo(options, request, email), { link, expiresAt: made.expiresAt, ...serviceOf(brand) });
    const mailed = (await options.mail?.send(email, brandedMail(mail, brand))) ?? false;
    return { link: seesLinks(options, request) ? link : null, expires_at: iso(made.expiresAt), mailed };
  });

  endpoint(server, 'DELETE /portal/api/operator/users/:id/memberships', { onRequest, body: place }, async (request) => {
    const person = await personInReach(request, request.params.id);
    const { role, account_id, provider_id } = request.body;
    const accountId = account_id?.toLowerCase() ?? null;
    const providerId = provider_id?.toLowerCase() ?? null;
    const has = person.memberships.some((one) => one.role === role && one.account_id === accountId && one.provider_id === providerId);
    if (has) await placeInReach(options, request, { accountId, providerId });
    const act = actOf(request, clock.now());
    const removed = has && (await removeRole(store, person.id, { role, accountId, providerId }, { lastToo: false }, act));
    if (!removed) throw notThere('role');
    return { user_id: person.id };
  });

  /** The person with the roles in reach. Throws not_found for somebody without any there. */
  async function personInReach({ visitor }: FastifyRequest, asked: string): Promise<UserWithRoles> {
    const reach = reachOf(visitor);
    const [person] = isId(asked) ? await selectPeople(store.db, [asked.toLowerCase()], reach) : [];
    if (person === undefined || (reach.providerIds !== null && person.memberships.length === 0)) throw notThere('person');
    return person;
  }
}

function intention({ id, email, memberships }: UserWithRoles, only: z.output<typeof role> | undefined, visitorId: string): Intention {
  // A slip would lock out the person who made it, with nobody left to help.
  if (id === visitorId)
    return { name: email, work: reason('nothing_to_do', 'That is you. Your own roles can only be removed one at a time.') };
  const taken = memberships.filter((membership) => only === undefined || membership.role === only);
  if (taken.length === 0)
    return { name: email, work: reason('nothing_to_do', only === undefined ? 'They have no role.' : 'They do not have this role.') };
  return {
    name: email,
    work: taken.map(({ role, account_id, provider_id }) => ({
      method: 'DELETE',
      url: `/portal/api/operator/users/${id}/memberships`,
      body: { role, account_id, provider_id },
    })),
  };
}
