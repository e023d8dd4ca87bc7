import type { FastifyReply, FastifyRequest } from 'fastify';
import { brandedMail, serviceOf } from '../branding/index.ts';
import { invitationMail, invite, type NewLink, type Place } from '../people/index.ts';
import { boundFor } from './bounds.ts';
import { brandOfPlace, linksBegin } from './brand-of.ts';
import { fromOperatorInputLater } from './input.ts';
import { spokenTo } from './language.ts';
import { linkAddress } from './link-address.ts';
import { newInvitationView } from './people-views.ts';
import { actOf } from './person.ts';
import type { PortalOptions } from './portal-options.ts';
import { reachOf } from './reach.ts';
import type { NewInvitationView } from './wire/index.ts';

/** Whom an invitation goes to, and where it leads; `leadsTo` is the name of the account or provider. */
export interface Invited {
  readonly email: string;
  readonly place: Place;
  readonly leadsTo: string | null;
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
  const made = await fromOperatorInputLater(() => invite(options.store, invited.email, invited.place, act, seenBy(options, request)));
  return handInvitation(options, request, made, invited);
}

/** Mails an invitation just made, where there is a mail server, and tells the link to those who may see it. */
export async function handInvitation(
  options: PortalOptions,
  request: FastifyRequest,
  made: NewLink,
  { email, place, leadsTo }: Invited,
): Promise<NewInvitationView> {
  const brand = await brandOfPlace(options, place);
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
  await boundFor(limiter, reply, {
    what: 'mails',
    person: visitor.userId,
    personPerMinute: 20,
    place: place?.accountId ?? place?.providerId ?? null,
    placePerMinute: 60,
  });
}
