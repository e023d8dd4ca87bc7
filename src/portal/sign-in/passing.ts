import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { succeed } from '../../http/index.ts';
import type { PortalWorld } from '../world.ts';
import { refusal } from './refusal.ts';

/** Passes a request's call on to better-auth with its cookies. */
export function pass({ signIn }: PortalWorld, request: FastifyRequest, path: string, body: object): Promise<Response> {
  return signIn.pass({
    method: 'POST',
    path,
    body,
    cookie: request.headers.cookie,
    userAgent: request.headers['user-agent'],
    address: request.ip,
  });
}

/** Answers in our envelope what better-auth answered, with its cookies. A token in its answer stays in the cookie alone. */
export async function answer(request: FastifyRequest, reply: FastifyReply, passedOn: Response): Promise<FastifyReply> {
  const { code, totpURI, backupCodes, twoFactorRedirect } = said.parse(await passedOn.json().catch(() => ({})));
  for (const cookie of passedOn.headers.getSetCookie()) reply.header('set-cookie', cookie);
  if (!passedOn.ok) throw refusal(passedOn, code, reply);
  return succeed(request, reply, {
    two_factor: twoFactorRedirect === true,
    ...(totpURI === undefined ? {} : { totp_uri: totpURI }),
    ...(backupCodes === undefined ? {} : { backup_codes: backupCodes }),
  });
}

const said = z
  .object({
    code: z.string().optional(),
    totpURI: z.string().optional(),
    backupCodes: z.array(z.string()).optional(),
    twoFactorRedirect: z.boolean().optional(),
  })
  .catch({});
