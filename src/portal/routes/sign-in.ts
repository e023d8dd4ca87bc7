import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { recordOwnChange } from '../../people/index.ts';
import { endpoint } from '../endpoint.ts';
import { anybody, refuseWhileSuspended, signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { boundCodeTries, boundOwnTries, boundPasswordTries, passCode, signInByCode, signInByPassword } from '../sign-in/attempts.ts';
import { answer, browserOf, type Passed, pass, withCookies } from '../sign-in/passing.ts';
import { passwordLength } from '../sign-in/sign-in.ts';

const text = (max: number) => z.string().min(1).max(max);
const password = text(passwordLength.max);
const nothing = z.object({}).optional();
const byPassword = z.object({ email: text(254).trim(), password });
// better-auth would also take `trustDevice`, which lets a browser in without a code for 30 days. Nobody is offered that here.
const byCode = z.object({ code: text(20) });
const proven = z.object({ password });
const newPassword = z
  .object({ currentPassword: password, newPassword: z.string().min(passwordLength.min).max(passwordLength.max) })
  // Sessions of somebody else who knows the old password end.
  .transform((fields) => ({ ...fields, revokeOtherSessions: true }));
const newName = z.object({ name: text(100) });

/** POST /portal/auth/…: signing in and out, two-factor, password. All of it is better-auth's; the envelope is ours. */
export function signInRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;

  before('sign-in', byPassword, async (request, reply) => {
    await boundPasswordTries(options, request, reply, request.body.email);
    return signInByPassword(options, request, request.body);
  });
  before('sign-out', nothing, (request) => pass(options, request, '/sign-out', {}));
  before('two-factor/verify-backup-code', byCode, async (request, reply) => {
    await boundCodeTries(options, request, reply);
    return signInByCode(options, request, reply, '/two-factor/verify-backup-code', request.body, 'backup_code');
  });
  before('two-factor/verify-totp', byCode, async (request, reply) => {
    const path = '/two-factor/verify-totp';
    // The first code of somebody who is signed in already turns two-factor on; at a sign-in nobody is yet.
    const person = await options.signIn.person(browserOf(request));
    if (person === null) {
      await boundCodeTries(options, request, reply);
      return signInByCode(options, request, reply, path, request.body, 'totp');
    }
    await boundOwnTries(options, person, reply);
    const { userId } = person;
    const passed = withCookies(reply, await passCode(options, request, reply, { path, body: request.body, userId }));
    if (passed.response.ok) await recordOwnChange(store, person, 'user.two_factor', clock.now(), { from: person.twoFactor, to: true });
    return passed;
  });

  proving('two-factor/enable', '/two-factor/enable', proven);
  proving('two-factor/disable', '/two-factor/disable', proven, ({ visitor }) =>
    recordOwnChange(store, visitor, 'user.two_factor', clock.now(), { from: visitor.twoFactor, to: false }),
  );
  proving('two-factor/backup-codes', '/two-factor/generate-backup-codes', proven, ({ visitor }) =>
    recordOwnChange(store, visitor, 'user.backup_codes', clock.now()),
  );
  proving('change-password', '/change-password', newPassword, ({ visitor }) =>
    recordOwnChange(store, visitor, 'user.password', clock.now()),
  );
  // The name is what others see. What keeps the own sign-in safe stays possible while an account is suspended.
  const ofName = { body: newName, onRequest: [signedIn(options), refuseWhileSuspended] };
  endpoint(server, 'POST /portal/auth/change-name', ofName, async (request, reply) =>
    answer(request, reply, await pass(options, request, '/update-user', request.body)),
  );

  /** A call from a browser without a session. */
  function before<Body>(
    name: string,
    body: z.ZodType<Body>,
    call: (request: FastifyRequest & { readonly body: Body }, reply: FastifyReply) => Promise<Passed>,
  ): void {
    endpoint(server, `POST /portal/auth/${name}`, { body, onRequest: anybody(options) }, async (request, reply) =>
      answer(request, reply, await call(request, reply)),
    );
  }

  /** A call of somebody who is signed in and gives the password again. `done` notes it when it has succeeded. */
  function proving(name: string, path: string, body: z.ZodType<object>, done?: (request: FastifyRequest) => Promise<void>): void {
    endpoint(server, `POST /portal/auth/${name}`, { body, onRequest: signedIn(options) }, async (request, reply) => {
      await boundOwnTries(options, request.visitor, reply);
      const passed = withCookies(reply, await pass(options, request, path, request.body));
      if (passed.response.ok) await done?.(request);
      return answer(request, reply, passed);
    });
  }
}
