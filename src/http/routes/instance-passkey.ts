import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { GatewayError, isoOrNull } from '../../core/index.ts';
import type { Session } from '../../sessions/index.ts';
import { passkeyAnswerDocs, passkeyConfirmDocs, passkeyDocs } from '../docs/passkey.ts';
import { succeed } from '../envelope.ts';
import { instance, ownInstance } from '../instance-view.ts';
import { passkeyStage } from '../passkey-view.ts';
import type { RouteOptions } from '../route-options.ts';

type WithId = { Params: { id: string } };

const asked = instance
  .pick({ instance_id: true })
  .extend({
    options: z.looseObject({}).nullable().meta({
      description:
        'The WebAuthn request options as JSON, as the network sent them; null when no passkey is requested. Shown only to the account.',
    }),
    expires_at: z.string().nullable().meta({ format: 'date-time', description: 'When the current stage times out, in UTC.' }),
    confirmation_code: z.string().nullable().meta({
      description: 'The code that the phone also shows, while a person has to compare and confirm it; otherwise null.',
    }),
  })
  .meta({ id: 'Passkey', description: 'The passkey request.' });

const progress = instance
  .pick({ instance_id: true })
  .extend({ stage: passkeyStage })
  .meta({ id: 'PasskeyStage', description: 'The progress of linking with the passkey.' });
type Progress = z.output<typeof progress>;

const answerBody = z.object({ credential: z.looseObject({}, { error: 'must be an object' }) });

/** GET and POST /v1/instances/{id}/passkey, POST /v1/instances/{id}/passkey/confirm: linking where the network asks for a passkey (decisions §11). */
export function instancePasskeyRoutes(server: FastifyInstance, options: RouteOptions): void {
  const demands = { scope: 'instances', planRequired: false, callers: 'both' } as const;
  const onRequest = options.admission(demands);

  server.get<WithId & { Reply: z.output<typeof asked> }>(
    '/v1/instances/:id/passkey',
    { config: { atOwner: 'path' }, schema: { data: asked, ...passkeyDocs }, onRequest: options.admission({ ...demands, readOnly: true }) },
    async (request, reply) => {
      const session = ownInstance(options, request);
      const passkey = session.attempt?.passkey ?? null;
      // These must not stay in a cache on the way.
      reply.header('cache-control', 'no-store');
      return succeed(request, reply, {
        instance_id: session.id,
        options: passkey?.options ?? null,
        expires_at: isoOrNull(passkey?.expiresAt ?? null),
        confirmation_code: passkey?.confirmationCode ?? null,
      });
    },
  );

  server.post<WithId & { Body: z.output<typeof answerBody>; Reply: Progress }>(
    '/v1/instances/:id/passkey',
    { config: { atOwner: 'path' }, schema: { body: answerBody, data: progress, ...passkeyAnswerDocs }, onRequest },
    async (request, reply) => {
      const session = ownInstance(options, request);
      const answer = await session.givePasskey(request.body.credential);
      if (answer === 'not_asked') throw notAsked('No passkey is asked for right now.');
      if (answer !== 'sent') throw new GatewayError('invalid_request', answer.problem, { field: 'credential' });
      return succeed(request, reply, { instance_id: session.id, stage: stageOf(session) });
    },
  );

  server.post<WithId & { Reply: Progress }>(
    '/v1/instances/:id/passkey/confirm',
    { config: { atOwner: 'path' }, schema: { data: progress, ...passkeyConfirmDocs }, onRequest },
    async (request, reply) => {
      const session = ownInstance(options, request);
      if (!(await session.confirmPasskey())) throw notAsked('There is no code to confirm right now.');
      return succeed(request, reply, { instance_id: session.id, stage: stageOf(session) });
    },
  );
}

/** Once the number is linked there is no attempt any more; confirming was the last stage. */
function stageOf(session: Session): Progress['stage'] {
  return session.attempt?.passkey?.stage ?? 'confirming';
}

function notAsked(message: string): GatewayError {
  return new GatewayError('invalid_request', message);
}
