import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { recordOwnChange } from '../../accounts/index.ts';
import { bound } from '../bounds.ts';
import { anybody, signedIn } from '../person.ts';
import { answer, pass } from '../sign-in/passing.ts';
import { holdsSession, passwordLength } from '../sign-in/sign-in.ts';
import type { PortalWorld } from '../world.ts';

/** Attempts on one person's password, from wherever they come; better-auth bounds those of one client to 10, so that one alone locks nobody out. */
export const onPassword = (email: string) => ({ name: `password ${email.trim().toLowerCase()}`, perMinute: 30, scope: 'sign_in' }) as const;

const text = (max: number) => z.string().min(1).max(max);
const password = text(passwordLength.max);
const code = z.object({ code: text(20), trustDevice: z.boolean().optional() });

/** The calls of a signed-in or half-signed-in browser that go to better-auth, under the portal's own paths. */
const passed = {
  'sign-in': { path: '/sign-in/email', body: z.object({ email: text(254).trim(), password }), session: false },
  'two-factor/verify-totp': { path: '/two-factor/verify-totp', body: code, session: false },
  'two-factor/verify-backup-code': { path: '/two-factor/verify-backup-code', body: code, session: false },
  'sign-out': { path: '/sign-out', body: z.object({}).optional(), session: false },
  'two-factor/enable': { path: '/two-factor/enable', body: z.object({ password }), session: true },
  'two-factor/disable': { path: '/two-factor/disable', body: z.object({ password }), session: true },
  'two-factor/backup-codes': { path: '/two-factor/generate-backup-codes', body: z.object({ password }), session: true },
  'change-password': {
    path: '/change-password',
    body: z
      .object({ currentPassword: password, newPassword: z.string().min(passwordLength.min).max(passwordLength.max) })
      // Whoever else knows the old one is signed out.
      .transform((fields) => ({ ...fields, revokeOtherSessions: true })),
    session: true,
  },
  'change-name': { path: '/update-user', body: z.object({ name: text(100) }), session: true },
} as const;

/** POST /portal/auth/…: signing in and out, two-factor, password. All of it is better-auth's; the envelope is ours. */
export function signInRoutes(server: FastifyInstance, world: PortalWorld): void {
  const signed = signedIn(world);
  for (const [name, { path, body, session }] of Object.entries(passed)) {
    server.post<{ Body: Record<string, unknown> | undefined }>(
      `/portal/auth/${name}`,
      { schema: { body }, onRequest: session ? signed : anybody(world) },
      async (request, reply) => {
        if (name === 'sign-in') await bound(world.limiter, reply, onPassword(String(request.body?.email)));
        // A stolen session must not serve to find out the password either.
        if (session && name !== 'change-name') await bound(world.limiter, reply, onPassword(request.visitor.email));
        const audited = await ownChange(world, request, name);
        const passedOn = await pass(world, request, path, request.body ?? {});
        if (passedOn.ok) await audited();
        return answer(request, reply, passedOn);
      },
    );
  }
}

/** What a call that succeeds leaves in the audit log: looked at before, noted after. */
async function ownChange({ signIn, store, clock }: PortalWorld, request: FastifyRequest, name: string): Promise<() => Promise<void>> {
  switch (name) {
    case 'change-password':
      return () => recordOwnChange(store, request.visitor, 'user.password', clock.now());
    case 'two-factor/disable':
      return () => recordOwnChange(store, request.visitor, 'user.two_factor', clock.now(), { from: request.visitor.twoFactor, to: false });
    case 'two-factor/verify-totp': {
      // The first code of somebody who is signed in already turns two-factor on; at a sign-in nobody is yet.
      const { cookie } = request.headers;
      const person = holdsSession(cookie) ? await signIn.person(cookie) : null;
      if (person === null) return async () => undefined;
      return () => recordOwnChange(store, person, 'user.two_factor', clock.now(), { from: person.twoFactor, to: true });
    }
    default:
      return async () => undefined;
  }
}
