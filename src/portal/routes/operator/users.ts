import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { brandedMail, serviceOf } from '../../../branding/index.ts';
import { GatewayError } from '../../../core/index.ts';
import { succeed } from '../../../http/index.ts';
import {
  countSessions,
  isWithin,
  languageOf,
  passwordResetLink,
  passwordResetMail,
  placeOf,
  removeRole,
  rolesOfUser,
  selectPeople,
  selectUser,
  type UserRow,
} from '../../../people/index.ts';
import { linksBegin } from '../../brand-of.ts';
import { id, isId, role } from '../../fields.ts';
import { fromOperatorInputLater } from '../../input.ts';
import { boundMails, seesLinks } from '../../invitations.ts';
import { spokenTo } from '../../language.ts';
import { linkAddress } from '../../link-address.ts';
import { userView } from '../../people-views.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { notThere, placeInReach, reachOf } from '../../reach.ts';
import { iso } from '../../times.ts';
import type { PasswordResetView, UserDetail } from '../../wire/index.ts';

const place = z.object({
  role,
  account_id: id.nullish(),
  provider_id: id.nullish(),
});

interface OfUser {
  Params: { id: string };
}

/** /portal/api/operator/users/{id}: one person, their password and roles, for an operator, or an admin of a provider where they have a role. */
export function userRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = administers(options, { providerAdmins: true });

  server.get<OfUser>('/portal/api/operator/users/:id', { onRequest }, async (request, reply) => {
    const { id } = await userInReach(request);
    const [person] = await selectPeople(store.db, [id], reachOf(request.visitor));
    if (person === undefined) throw notThere('person');
    const [language, browsers] = await Promise.all([languageOf(store.db, id), countSessions(store.db, id, clock.now())]);
    return succeed(request, reply, { ...userView(person), language, browsers } satisfies UserDetail);
  });

  server.post<OfUser>('/portal/api/operator/users/:id/password-reset', { onRequest }, async (request, reply) => {
    const user = await userInReach(request);
    const { providerIds } = reachOf(request.visitor);
    for (const place of await rolesOfUser(store, user.id, { providerIds })) await placeInReach(options, request, placeOf(place));
    if (providerIds !== null && !(await isWithin(store.db, user.id, providerIds)))
      throw new GatewayError('forbidden', 'This person has a role elsewhere too; ask an operator for the new password.');
    await boundMails(options, request, reply, null);
    const act = actOf(request, clock.now());
    const shown = seesLinks(options, request);
    const resetOptions = { providerId: providerIds?.[0], seenBy: shown ? 'somebody' : 'nobody' } as const;
    const made = await fromOperatorInputLater(() => passwordResetLink(store, user.email, act, resetOptions));
    const brand = await options.brands.ofPerson(user.id);
    const link = linkAddress(linksBegin(options, request, brand), made.token);
    const mail = passwordResetMail(await spokenTo(options, request, user.email), { link, expiresAt: made.expiresAt, ...serviceOf(brand) });
    const mailed = (await options.mail?.send(user.email, brandedMail(mail, brand))) ?? false;
    const view: PasswordResetView = { link: shown ? link : null, expires_at: iso(made.expiresAt), mailed };
    return succeed(request, reply, view);
  });

  server.delete<OfUser & { Body: z.output<typeof place> }>(
    '/portal/api/operator/users/:id/memberships',
    { schema: { body: place }, onRequest },
    async (request, reply) => {
      const user = await userInReach(request);
      const { role, account_id, provider_id } = request.body;
      const accountId = account_id?.toLowerCase() ?? null;
      const providerId = provider_id?.toLowerCase() ?? null;
      const has = (await rolesOfUser(store, user.id, reachOf(request.visitor))).some(
        (one) => one.role === role && one.account_id === accountId && one.provider_id === providerId,
      );
      if (has) await placeInReach(options, request, { accountId, providerId });
      const act = actOf(request, clock.now());
      const at = { role, accountId, providerId };
      const removed = has && (await fromOperatorInputLater(() => removeRole(store, user.id, at, { lastToo: false }, act)));
      if (!removed) throw notThere('role');
      return succeed(request, reply, { user_id: user.id });
    },
  );

  async function userInReach({ params, visitor }: FastifyRequest<OfUser>): Promise<UserRow> {
    const reach = reachOf(visitor);
    const userId = params.id.toLowerCase();
    const user = isId(userId) ? await selectUser(store.db, userId) : undefined;
    const seen = user !== undefined && (reach.providerIds === null || (await rolesOfUser(store, userId, reach)).length > 0);
    if (!seen) throw notThere('person');
    return user;
  }
}
