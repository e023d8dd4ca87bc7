import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Brand, brandedMail, serviceOf } from '../branding/index.ts';
import {
  invitationDetail,
  invitationMail,
  invite,
  type NewLink,
  newInvitationView,
  type Place,
  placeOf,
  selectAnyInvitation,
  selectInvitation,
  withdrawInvitation,
} from '../people/index.ts';
import type { OneTimeLinkRow } from '../store/index.ts';
import { boundFor } from './bounds.ts';
import { linkAddress, linksBegin } from './brand-of.ts';
import { endpoint, type Hook } from './endpoint.ts';
import { isId } from './fields.ts';
import { spokenTo } from './language.ts';
import { actOf } from './person.ts';
import type { PortalOptions } from './portal-options.ts';
import { notThere, reachOf } from './reach.ts';
import type { NewInvitationView } from './wire/account.ts';
import type { InvitationDetail } from './wire/operator.ts';

/** Whom an invitation goes to, and where it leads; `leadsTo` is the name of the account or provider. */
export interface Invited {
  readonly email: string;
  readonly place: Place;
  readonly leadsTo: string | null;
}

/** The invitations at one place: one of them, withdrawing it, and making it again. `inReach`: whether it is the visitor's to see. */
export function invitationRoutes(
  server: FastifyInstance,
  options: PortalOptions,
  {
    path,
    onRequest,
    inReach,
  }: {
    readonly path: string;
    readonly onRequest: Hook;
    readonly inReach: (request: FastifyRequest, invitation: OneTimeLinkRow) => Promise<boolean>;
  },
): void {
  const { store, clock } = options;

  endpoint(server, `GET ${path}/:id`, { onRequest }, async (request): Promise<InvitationDetail> => {
    const { id } = request.params;
    const invited = isId(id) ? await selectAnyInvitation(store.db, id.toLowerCase()) : undefined;
    if (invited === undefined || !(await inReach(request, invited))) throw notThere('invitation');
    return invitationDetail(store, invited, clock.now());
  });

  endpoint(server, `DELETE ${path}/:id`, { onRequest }, async (request) => {
    const { id } = request.params;
    const mayEnd = (invitation: OneTimeLinkRow) => inReach(request, invitation);
    if (!isId(id) || !(await withdrawInvitation(store, id, mayEnd, actOf(request, clock.now())))) throw notThere('invitation');
    return { invitation_id: id.toLowerCase() };
  });

  endpoint(server, `POST ${path}/:id/resend`, { onRequest }, async (request, reply) => {
    const { id } = request.params;
    const invited = isId(id) ? await selectInvitation(store.db, id.toLowerCase(), clock.now()) : undefined;
    if (invited === undefined || !(await inReach(request, invited))) throw notThere('invitation');
    return inviteByLink(options, request, reply, { email: invited.email, place: placeOf(invited), leadsTo: invited.leads_to });
  });
}

/** Invites somebody to a role: makes the link, and mails it where there is a mail server. An earlier unused one to the same place ends. */
export async function inviteByLink(
  options: PortalOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  invited: Invited,
): Promise<NewInvitationView> {
  await boundMails(options, request, reply, invited.place);
  const act = actOf(request, options.clock.now());
  // Before the link is made: a failure to read it must not hide that there is one.
  const brand = await options.brands.ofPlace(invited.place);
  const made = await invite(options.store, invited.email, invited.place, act, seenBy(options, request));
  return handInvitation(options, request, made, { ...invited, brand });
}

/** Mails an invitation just made, where there is a mail server, and shows the link to those who may see it. */
export async function handInvitation(
  options: PortalOptions,
  request: FastifyRequest,
  made: NewLink,
  { email, place, leadsTo, brand }: Invited & { readonly brand: Brand | null },
): Promise<NewInvitationView> {
  const link = linkAddress(linksBegin(options, request, brand), made.token);
  const { role } = place;
  const t = await spokenTo(options, request, email);
  const mail = invitationMail(t, { role, leadsTo, link, expiresAt: made.expiresAt, ...serviceOf(brand) });
  const mailed = (await options.mail?.send(email, brandedMail(mail, brand))) ?? false;
  return newInvitationView(made, { email, role, leadsTo, link: seesLinks(options, request) ? link : null, mailed });
}

/**
 * Whether the page shows a link that this person makes. Where links are mailed, only operators see them: who uses one that was not shown
 * has proved that the address is theirs.
 */
export function seesLinks({ mail }: Pick<PortalOptions, 'mail'>, { visitor }: FastifyRequest): boolean {
  return mail === null || reachOf(visitor).providerIds === null;
}

/** The same as the store notes it of a link. */
export function seenBy(options: Pick<PortalOptions, 'mail'>, request: FastifyRequest): 'somebody' | 'nobody' {
  return seesLinks(options, request) ? 'somebody' : 'nobody';
}

/** Bounds mails and links by the person who causes them and by the place they lead to; a person's own matters have no place. */
export async function boundMails(
  { limiter }: Pick<PortalOptions, 'limiter'>,
  { visitor }: FastifyRequest,
  reply: FastifyReply,
  place: Pick<Place, 'accountId' | 'providerId'> | null,
): Promise<void> {
  await boundFor(limiter, reply, 'mails', { userId: visitor.userId, place: place?.accountId ?? place?.providerId ?? null });
}
