import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { refuseSuspendedInvitation } from '../../accounts/index.ts';
import { confirmationOf, confirmTarget, isConfirmation } from '../../alerts/index.ts';
import type { Brand } from '../../branding/index.ts';
import { GatewayError, iso, newId } from '../../core/index.ts';
import {
  checkEmail,
  findScanLink,
  insertUser,
  join,
  linkExpired,
  recordOwnChangeIn,
  type ScanLink,
  selectAnyInvitation,
  selectUserByEmail,
  setPassword,
  takeLink,
  usableLink,
  verifyEmail,
} from '../../people/index.ts';
import { type Db, isTaken, type OneTimeLinkRow } from '../../store/index.ts';
import { brandView } from '../brand-of.ts';
import { endpoint } from '../endpoint.ts';
import { anybody } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { boundPasswordTries, signInByPassword } from '../sign-in/attempts.ts';
import { answer } from '../sign-in/passing.ts';
import { passwordLength } from '../sign-in/sign-in.ts';
import type { LinkView } from '../wire/session.ts';

const use = z.object({
  email: z.string().max(254).optional(),
  name: z.string().trim().min(1).max(100).optional(),
  password: z.string().min(1).max(passwordLength.max),
});

/** The first operator, an invitation, a password reset, and whether an address wants alerts; what a scan link is for. */
export function linkRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock, signIn, brands } = options;
  const onRequest = anybody(options);

  endpoint(server, 'GET /portal/api/links/:token', { onRequest }, async ({ params: { token } }): Promise<LinkView> => {
    if (isConfirmation(token)) return alertsView(await confirmationOf(options, token, clock.now()), clock.now());
    const scan = await findScanLink(store, token, clock.now());
    if (scan !== null) return scanView(scan, await brands.ofProvider(scan.providerId));
    const link = await usableLink(store, token, clock.now());
    return {
      purpose: link.purpose,
      email: link.email,
      role: link.role,
      leads_to: (await selectAnyInvitation(store.db, link.id))?.leads_to ?? null,
      known_user: link.email !== null && (await selectUserByEmail(store.db, link.email)) !== undefined,
      expires_at: iso(Number(link.expires_at)),
    };
  });

  endpoint(server, 'POST /portal/api/links/:token/confirm', { onRequest }, async (request) => {
    const confirmed = await confirmTarget(options, request.params.token, clock.now());
    if (confirmed === null) throw linkExpired();
    return { address: confirmed.address };
  });

  endpoint(server, 'POST /portal/api/links/:token', { onRequest, body: use }, async (request, reply) => {
    const link = await usableLink(store, request.params.token, clock.now());
    await refuseSuspendedInvitation(store, link);
    const email = link.email ?? checkEmail(request.body.email ?? '');
    const { password } = request.body;
    const known = await selectUserByEmail(store.db, email);
    if (known !== undefined && link.purpose !== 'password_reset') {
      // Somebody who has a sign-in proves it; a link alone must not lead into another person's place.
      await boundPasswordTries(options, request, reply, email);
      const signedIn = await signInByPassword(options, request, { email, password });
      if (signedIn.response.ok) {
        await useUp(link, async (trx) => {
          await enter(trx, link, known);
          await noteVerified(trx, link, known.id);
        });
      }
      return answer(request, reply, signedIn);
    }
    if ([...password].length < passwordLength.min) {
      throw new GatewayError('invalid_request', `password must have at least ${passwordLength.min} characters.`, { field: 'password' });
    }
    if (link.purpose === 'password_reset') {
      if (known === undefined) throw linkExpired();
      const hash = await signIn.hash(password);
      await useUp(link, async (trx) => {
        await setPassword(trx, known.id, hash, clock.now());
        await noteVerified(trx, link, known.id);
        await recordOwnChangeIn(trx, { userId: known.id, email }, 'user.password', clock.now());
      });
    } else {
      const { name } = request.body;
      if (name === undefined) throw new GatewayError('invalid_request', 'name is required.', { field: 'name' });
      const user = { id: newId(), email, emailVerified: isProof(link), name, passwordHash: await signIn.hash(password) };
      try {
        await useUp(link, async (trx) => {
          await insertUser(trx, user, clock.now());
          await enter(trx, link, user);
        });
      } catch (error) {
        // By another link for the same address, used at the same moment.
        if (!isTaken(error)) throw error;
        throw new GatewayError('conflict', 'Somebody with this e-mail address has just been added. Use the link again.');
      }
    }
    return answer(request, reply, await signInByPassword(options, request, { email, password }));
  });

  /** Uses a link, in the transaction of what it is for: both or neither. Of several simultaneous uses one succeeds. */
  async function useUp(link: OneTimeLinkRow, work: (trx: Db) => Promise<void>): Promise<void> {
    await store.transaction(async (trx) => {
      if (!(await takeLink(trx, link.id, clock.now()))) throw linkExpired();
      await work(trx);
    });
  }

  async function noteVerified(trx: Db, link: OneTimeLinkRow, userId: string): Promise<void> {
    if (isProof(link)) await verifyEmail(trx, userId);
  }

  /** Gives the person the role that the link leads to. */
  async function enter(trx: Db, link: OneTimeLinkRow, user: { id: string; email: string }): Promise<void> {
    const { role } = link;
    if (role === null) return;
    const act = { actor: { kind: 'user', id: user.id, name: user.email }, now: clock.now() } as const;
    await join(trx, { ...link, role }, user, act);
  }
}

/** The question whether an address wants alerts. Throws link_expired when there is none. */
function alertsView(asked: Awaited<ReturnType<typeof confirmationOf>>, now: number): LinkView {
  if (asked === null) throw linkExpired();
  const { address, of, confirmBy } = asked;
  return { purpose: 'alerts', email: address, role: null, leads_to: of, known_user: false, expires_at: iso(confirmBy ?? now) };
}

function scanView({ instanceId, label, network, accountName, expiresAt }: ScanLink, brand: Brand | null): LinkView {
  const scan = { instance_id: instanceId, label, network, brand: brandView(brand) };
  return { purpose: 'scan', email: null, role: null, leads_to: accountName, known_user: false, expires_at: iso(expiresAt), scan };
}

/** Whether using the link proves that the person reads its mailbox, because it was shown nowhere else. */
function isProof({ shown }: OneTimeLinkRow): boolean {
  return shown === 0;
}
