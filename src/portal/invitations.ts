import type { FastifyReply, FastifyRequest } from 'fastify';
import { invitationMail, invite, type Place } from '../accounts/index.ts';
import { type Bound, bound } from './bounds.ts';
import { fromOperatorInputLater } from './input.ts';
import { linkAddress, portalAddress } from './link-address.ts';
import { newInvitationView } from './people-views.ts';
import { actOf } from './person.ts';
import type { NewInvitationView } from './wire/index.ts';
import type { PortalWorld } from './world.ts';

/** Invites somebody to a role: makes the link, and mails it where there is a mail server. `leadsTo` is the name of the account or provider. */
export async function inviteByLink(
  world: PortalWorld,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, place, leadsTo }: { email: string; place: Place; leadsTo: string | null },
): Promise<NewInvitationView> {
  await bound(world.limiter, reply, mailsOf(request));
  const made = await fromOperatorInputLater(() => invite(world.store, email, place, actOf(request, world.clock.now())));
  const link = linkAddress(portalAddress(world, request), made.token);
  const { role } = place;
  const mailed = (await world.mail?.send(email, invitationMail({ role, leadsTo, link, expiresAt: made.expiresAt }))) ?? false;
  return newInvitationView(made, { email, role, leadsTo, link, mailed });
}

/** What one session may cause in mails; pages and people are far below it. */
export function mailsOf({ visitor }: FastifyRequest): Bound {
  return { name: `mails ${visitor.sessionId}`, perMinute: 20, scope: 'mails' };
}
