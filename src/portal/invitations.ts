import type { FastifyRequest } from 'fastify';
import { invitationMail, invite, type Place } from '../accounts/index.ts';
import { GatewayError } from '../core/index.ts';
import { fromOperatorInputLater } from './input.ts';
import { linkAddress, portalAddress } from './link-address.ts';
import { newInvitationView } from './people-views.ts';
import { actOf } from './person.ts';
import type { NewInvitationView } from './wire/index.ts';
import type { PortalWorld } from './world.ts';

/** Mails that one session may cause per minute. */
const mailsPerMinute = 20;

/** Invites somebody to a role: makes the link, and mails it where there is a mail server. `leadsTo` is the name of the account or provider. */
export async function inviteByLink(
  world: PortalWorld,
  request: FastifyRequest,
  { email, place, leadsTo }: { email: string; place: Place; leadsTo: string | null },
): Promise<NewInvitationView> {
  await boundMails(world, request);
  const made = await fromOperatorInputLater(() => invite(world.store, email, place, actOf(request, world.clock.now())));
  const link = linkAddress(portalAddress(world, request), made.token);
  const { role } = place;
  const mailed = (await world.mail?.send(email, invitationMail({ role, leadsTo, link, expiresAt: made.expiresAt }))) ?? false;
  return newInvitationView(made, { email, role, leadsTo, link, mailed });
}

/** Throws rate_limit_exceeded when the session causes mails faster than a person would. */
export async function boundMails({ limiter }: PortalWorld, { visitor }: FastifyRequest): Promise<void> {
  const { admitted, resetSeconds } = await limiter.take(`mails ${visitor.sessionId}`, mailsPerMinute);
  if (admitted) return;
  throw new GatewayError('rate_limit_exceeded', `Too many invitations; try again in ${resetSeconds} s.`, {
    retry_after_seconds: resetSeconds,
    limit_per_minute: mailsPerMinute,
    scope: 'mails',
  });
}
