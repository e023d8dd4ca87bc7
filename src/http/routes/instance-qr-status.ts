import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { exampleInstanceId, exampleLabel, exampleQrCode, exampleSender, exampleTime } from '../docs/examples.ts';
import { limitedErrors, type OperationDocs } from '../docs/operation.ts';
import { succeed } from '../envelope.ts';
import { instance, ownInstance, passkeyProgress, passkeyView, qrCode, qrcodeView, refuseConflict } from '../instance-view.ts';
import { atInstance, type PairingMount, type RouteOptions } from '../route-options.ts';

const pairingProgress = instance
  .pick({ instance_id: true, label: true, status: true, connected: true, phone_number: true })
  .extend({
    qrcode: qrCode.nullable().meta({ description: 'The current code: redraw it from every response. null when connected or exhausted.' }),
    rotation_count: z
      .number()
      .meta({ type: 'integer', minimum: 0 })
      .nullable()
      .meta({ description: 'Codes issued so far in this attempt; null without an attempt.' }),
    rotation_limit: z.number().meta({ type: 'integer', minimum: 1, description: 'Codes an attempt shows before it is exhausted.' }),
    exhausted: z.boolean().meta({ description: 'true when the attempt has ended without a scan: start again with the QR endpoint.' }),
    passkey_required: z.literal(true).optional().meta({
      description:
        'Present, and true, when the network asks for a passkey before it links. There is no code to scan then; `GET /v1/instances/{id}/passkey` says what to do.',
    }),
    passkey: passkeyProgress.optional(),
    check_incomplete: z
      .literal(true)
      .optional()
      .meta({ description: 'Present, and true, when the live check did not complete this time. Not an error: keep polling.' }),
    source: z.enum(['live', 'cached']).meta({ description: 'Where the answer comes from; for diagnosis only.' }),
  })
  .meta({ id: 'PairingProgress', description: 'The progress of a pairing attempt.' });

const exampleProgress = {
  instance_id: exampleInstanceId,
  label: exampleLabel,
  status: 'connecting',
  connected: false,
  phone_number: null,
  qrcode: exampleQrCode,
  rotation_count: 2,
  rotation_limit: 5,
  exhausted: false,
  source: 'live',
};

const qrStatusDocs: OperationDocs = {
  operationId: 'getInstanceQrStatus',
  tag: 'Instances',
  summary: 'Follow a pairing attempt',
  description:
    'Poll it about every 2.5 seconds while somebody scans, and redraw the QR code from every response, because it rotates. ' +
    'Stop when `connected` is true. When `exhausted` is true, start again with `GET /v1/instances/{id}/qr`. ' +
    '`passkey_required` means that the network asks for a passkey instead of a scan: then there is no code, and `passkey` shows the progress (`GET /v1/instances/{id}/passkey`).',
  errors: [...limitedErrors, 'instance_not_found', 'number_already_connected'],
  success: 'The progress of the attempt.',
  results: {
    waiting: { summary: 'Waiting for the scan', value: exampleProgress },
    connected: {
      summary: 'Scanned',
      value: { ...exampleProgress, status: 'open', connected: true, phone_number: exampleSender, qrcode: null, rotation_count: null },
    },
    exhausted: {
      summary: 'Nobody scanned in time',
      value: { ...exampleProgress, status: 'close', qrcode: null, rotation_count: 5, exhausted: true },
    },
    passkeyRequired: {
      summary: 'The network asks for a passkey',
      value: { ...exampleProgress, qrcode: null, passkey_required: true, passkey: { stage: 'requested', expires_at: exampleTime } },
    },
    passkeyFailed: {
      summary: 'Linking with the passkey failed',
      value: {
        ...exampleProgress,
        ...{ status: 'close', qrcode: null, exhausted: true, passkey_required: true },
        passkey: { stage: 'failed', expires_at: null, reason: 'Nobody gave the passkey in time.' },
      },
    },
    checkIncomplete: {
      summary: 'The live check did not complete',
      value: { ...exampleProgress, check_incomplete: true, source: 'cached' },
    },
  },
};

/** GET /v1/instances/{id}/qr-status: how the pairing attempt goes, polled while somebody scans. */
export function instanceQrStatusRoute(server: FastifyInstance, options: RouteOptions, mount: PairingMount | null = null): void {
  server.get<{ Params: { id: string }; Reply: z.output<typeof pairingProgress> }>(
    `${mount?.prefix ?? '/v1'}/instances/:id/qr-status`,
    atInstance(options, mount === null ? { data: pairingProgress, docs: qrStatusDocs } : {}, { readOnly: true, mount }),
    async (request, reply) => {
      const session = ownInstance(options, request);
      refuseConflict(session);
      const live = await session.probe();
      // The attempt may have ended in a conflict while the check ran.
      refuseConflict(session);
      // Read together, because drawing the code takes a while.
      const { attempt, status, phoneNumber } = session;
      const progress = {
        rotation_count: attempt === null ? null : attempt.sequence,
        rotation_limit: session.network.rotationLimit,
        exhausted: attempt?.exhausted ?? false,
        ...passkeyView(attempt?.passkey ?? null),
      };
      return succeed(request, reply, {
        instance_id: session.id,
        label: mount === null ? session.label : null,
        status,
        connected: status === 'open',
        phone_number: mount === null ? phoneNumber : null,
        qrcode: await qrcodeView(session),
        ...progress,
        ...(live ? {} : { check_incomplete: true }),
        source: live ? 'live' : 'cached',
      });
    },
  );
}
