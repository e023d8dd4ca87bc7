import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { GatewayError, isoOrNull } from '../../core/index.ts';
import type { Session } from '../../sessions/index.ts';
import { exampleInstanceId, exampleTime } from '../docs/examples.ts';
import { bodyErrors, limitedErrors, type OperationDocs } from '../docs/operation.ts';
import { succeed } from '../envelope.ts';
import { instance, ownInstance, passkeyStage } from '../instance-view.ts';
import { atInstance, type RouteOptions } from '../route-options.ts';

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

const exampleOptions = {
  challenge: 'bX0T3nqoMtVZQ2vM7Yw0o7Qe0o5u4c0C1m2Y5tQ0n2k',
  timeout: 600_000,
  rpId: 'whatsapp.com',
  allowCredentials: [],
  userVerification: 'required',
};
const exampleCredential = {
  id: '3q2-7w',
  rawId: '3q2-7w',
  type: 'public-key',
  clientExtensionResults: {},
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'ASNFZ4mrze8',
    signature: 'MEUCIQ',
    userHandle: 'dXNlcg',
  },
};

const passkeyDocs: OperationDocs = {
  operationId: 'getInstancePasskey',
  tag: 'Instances',
  summary: 'Get the passkey request',
  description:
    'Extension. WhatsApp asks some accounts for their passkey before it links a number (`passkey_required` in qr-status). A WhatsApp passkey can only be used on ' +
    '`https://web.whatsapp.com`: there, `navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })` asks the person for it, ' +
    'and the result of `toJSON()` goes to `POST /v1/instances/{id}/passkey`. The dialog of the portal, its browser extension and `gateway number pair` do all of this.',
  errors: [...limitedErrors, 'instance_not_found'],
  success: 'The current request. Everything except `instance_id` is null if there is none.',
  results: {
    asked: {
      summary: 'A passkey is requested',
      value: { instance_id: exampleInstanceId, options: exampleOptions, expires_at: exampleTime, confirmation_code: null },
    },
    confirm: {
      summary: 'A code must be compared with the phone',
      value: { instance_id: exampleInstanceId, options: null, expires_at: exampleTime, confirmation_code: '7KQ2-M9XA' },
    },
    none: { summary: 'No request', value: { instance_id: exampleInstanceId, options: null, expires_at: null, confirmation_code: null } },
  },
};

const passkeyAnswerDocs: OperationDocs = {
  operationId: 'answerInstancePasskey',
  tag: 'Instances',
  summary: 'Give the passkey',
  description:
    'Extension. Hands the passkey over to the network, once. A credential that cannot be right (made on another page, for another request or another site) is 400 and is not sent, so it can be given again.',
  errors: [...limitedErrors, ...bodyErrors, 'instance_not_found'],
  errorExamples: { invalid_request: { message: 'No passkey is asked for right now.' } },
  success: 'It was handed over; `failed` if the network did not accept it.',
  fields: { credential: 'The result of `credential.toJSON()` in the browser.' },
  bodies: { answer: { summary: 'From the browser', value: { credential: exampleCredential } } },
  results: { signed: { summary: 'Accepted', value: { instance_id: exampleInstanceId, stage: 'signed' } } },
};

const passkeyConfirmDocs: OperationDocs = {
  operationId: 'confirmInstancePasskey',
  tag: 'Instances',
  summary: 'Confirm the passkey code',
  description:
    'Extension. Confirms that the phone shows the same `confirmation_code`. Needed only if the passkey was given more than five minutes after the request.',
  errors: [...limitedErrors, 'invalid_request', 'instance_not_found'],
  errorExamples: { invalid_request: { message: 'There is no code to confirm right now.' } },
  success: 'The number is being linked.',
  results: { confirmed: { summary: 'Confirmed', value: { instance_id: exampleInstanceId, stage: 'confirming' } } },
};

/** GET and POST /v1/instances/{id}/passkey, POST /v1/instances/{id}/passkey/confirm: linking where the network asks for a passkey (decisions §11). */
export function instancePasskeyRoutes(server: FastifyInstance, options: RouteOptions): void {
  server.get<WithId & { Reply: z.output<typeof asked> }>(
    '/v1/instances/:id/passkey',
    atInstance(options, { data: asked, docs: passkeyDocs }, { readOnly: true }),
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
    atInstance(options, { body: answerBody, data: progress, docs: passkeyAnswerDocs }),
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
    atInstance(options, { data: progress, docs: passkeyConfirmDocs }),
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
