import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { GatewayError, normalisePhoneNumber } from '../../core/index.ts';
import type { Session } from '../../sessions/index.ts';
import { exampleInstanceId, exampleQrCode } from '../docs/examples.ts';
import { limitedErrors, type OperationDocs } from '../docs/operation.ts';
import { succeed } from '../envelope.ts';
import { instance, ownInstance, qrCode, qrcodeView } from '../instance-view.ts';
import { actorOf } from '../request.ts';
import { atInstance, type PairingMount, type RouteOptions } from '../route-options.ts';

/** How long a QR is waited for before 503 qr_unavailable. */
const codeMs = 2000;
const retryAfterSeconds = 3;

const query = z.object({
  phone_number: z
    .string({ error: 'must be given once' })
    .optional()
    .meta({ description: 'Also ask for a pairing code that is typed on the phone with this number (extension).' }),
});

const pairing = instance
  .pick({ instance_id: true, status: true, connected: true })
  .extend({
    already_connected: z.boolean().meta({ description: 'true when there is nothing to scan, because the number is connected.' }),
    qrcode: qrCode.nullable().meta({ description: 'null when the number is already connected.' }),
  })
  .meta({ id: 'Pairing', description: 'The code of the running pairing attempt.' });

const qrDocs: OperationDocs = {
  operationId: 'getInstanceQr',
  tag: 'Instances',
  summary: 'Get the QR code',
  description:
    'The code to scan. Starts a pairing attempt if none is running; while one runs, it returns the current code and does not start over. ' +
    'Then poll `GET /v1/instances/{id}/qr-status`. A number that is already connected is a success without a code; ' +
    'so is one that another program had taken (`restriction` `replaced`), which is connected again with its kept credentials. ' +
    'While no code is ready, 503 `qr_unavailable` says when to retry. With `phone_number` it also waits, at most 10 seconds, for a code to type.',
  errors: [...limitedErrors, 'invalid_request', 'instance_not_found', 'qr_unavailable'],
  errorExamples: {
    invalid_request: {
      message: 'phone_number must be a phone number with country code, 6 to 15 digits.',
      details: { field: 'phone_number' },
    },
  },
  success: 'The current code, or null if there is nothing to scan.',
  results: {
    scan: {
      summary: 'A code to scan',
      value: { instance_id: exampleInstanceId, status: 'connecting', connected: false, already_connected: false, qrcode: exampleQrCode },
    },
    pairingCode: {
      summary: 'With a pairing code to type',
      value: {
        instance_id: exampleInstanceId,
        status: 'connecting',
        connected: false,
        already_connected: false,
        qrcode: { ...exampleQrCode, pairingCode: 'K7WQ2M9X' },
      },
    },
    connected: {
      summary: 'Already connected',
      value: { instance_id: exampleInstanceId, status: 'open', connected: true, already_connected: true, qrcode: null },
    },
  },
};

/** GET /v1/instances/{id}/qr: the current code; begins a pairing attempt when none is running. */
export function instanceQrRoute(server: FastifyInstance, options: RouteOptions, mount: PairingMount | null = null): void {
  server.get<{ Params: { id: string }; Querystring: z.output<typeof query>; Reply: z.output<typeof pairing> }>(
    `${mount?.prefix ?? '/v1'}/instances/:id/qr`,
    atInstance(options, { querystring: query, ...(mount === null ? { data: pairing, docs: qrDocs } : {}) }, { mount }),
    async (request, reply) => {
      const session = ownInstance(options, request);
      const asked = request.query.phone_number;
      const phoneNumber = asked === undefined ? null : normalisePhoneNumber(asked);
      if (asked !== undefined && phoneNumber === null) {
        throw new GatewayError('invalid_request', 'phone_number must be a phone number with country code, 6 to 15 digits.', {
          field: 'phone_number',
        });
      }
      if (session.status !== 'open') await session.pair(codeMs, actorOf(request));
      const unavailable = (what: string) => {
        reply.header('retry-after', retryAfterSeconds);
        return new GatewayError('qr_unavailable', `No ${what} is ready yet; retry in ${retryAfterSeconds} s.`);
      };
      const codeReady = phoneNumber === null || (await session.requestPairingCode(phoneNumber));
      const qrcode = await qrcodeView(session);
      const connected = session.status === 'open';
      if (!connected && qrcode === null && passkeyAsked(session)) {
        reply.header('retry-after', retryAfterSeconds);
        throw new GatewayError(
          'qr_unavailable',
          `The network asks for a passkey instead of a scan: see GET /v1/instances/${session.id}/passkey.`,
        );
      }
      if (!connected && qrcode === null) throw unavailable('QR code');
      if (!connected && !codeReady) throw unavailable('pairing code');
      return succeed(request, reply, {
        instance_id: session.id,
        status: session.status,
        connected,
        already_connected: connected,
        qrcode: connected ? null : qrcode,
      });
    },
  );
}

/** Whether the running attempt goes on with a passkey: no code will come of it. */
function passkeyAsked({ attempt }: Session): boolean {
  return attempt !== null && attempt.passkey !== null && !attempt.exhausted;
}
