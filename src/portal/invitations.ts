import type { FastifyReply, FastifyRequest } from 'fastify';
import { invitationMail, invite, type Place } from '../accounts/index.ts';
import { boundFor } from './bounds.ts';
import { fromOperatorInputLater } from './input.ts';
import { linkAddress, portalAddress } from './link-address.ts';
import { newInvitationView } from './people-views.ts';
import { actOf } from './person.ts';
import type { PortalOptions } from './portal-options.ts';
import { reachOf } from './reach.ts';
import type { NewInvitationView } from './wire/index.ts';

/** Invites somebody to a role: makes the link, and mails it where there is a mail server. `leadsTo` is the name of the account or provider. */
export async function inviteByLink(
  options: PortalOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, place, leadsTo }: { email: string; place: Place; leadsTo: string | null },
): Promise<NewInvitationView> {
  await boundMails(options, request, reply, place);
  const shown = seesLinks(options, request);
  const act = actOf(request, options.clock.now());
  const made = await fromOperatorInputLater(() => invite(options.store, email, place, act, shown ? 'somebody' : 'nobody'));
  const link = linkAddress(portalAddress(options, request), made.token);
  const { role } = place;
  const mailed = (await options.mail?.send(email, invitationMail({ role, leadsTo, link, expiresAt: made.expiresAt }))) ?? false;
  return newInvitationView(made, { email, role, leadsTo, link: shown ? link : null, mailed });
}

/**
 * Whether the page shows a link that this person makes. Where links are mailed, only operators see them: who uses one that was not shown
 * has proved that the address is theirs.
 */
export function seesLinks({ mail }: Pick<PortalOptions, 'mail'>, { visitor }: FastifyRequest): boolean {
  return mail === null || reachOf(visitor).providerIds === null;
}

/** Bounds mails and links by the person who causes them and by the place they lead to; a person's own matters have no place. */
export async function boundMails(
  { limiter }: Pick<PortalOptions, 'limiter'>,
  { visitor }: FastifyRequest,
  reply: FastifyReply,
  place: Place | null,
): Promise<void> {
  await boundFor(limiter, reply, {
    what: 'mails',
    person: visitor.userId,
    personPerMinute: 20,
    place: place?.accountId ?? place?.providerId ?? null,
    placePerMinute: 60,
  });
}
