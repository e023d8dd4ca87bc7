import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { qrStatusDocs } from '../docs/instances.ts';
import { succeed } from '../envelope.ts';
import { instance, ownInstance, refuseConflict } from '../instance-view.ts';
import { passkeyProgress, passkeyView } from '../passkey-view.ts';
import { qrCode, qrcodeView } from '../qrcode-view.ts';
import type { RouteOptions } from '../route-options.ts';

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

/** GET /v1/instances/{id}/qr-status: how the pairing attempt goes, polled while somebody scans. */
export function instanceQrStatusRoute(server: FastifyInstance, options: RouteOptions): void {
  server.get<{ Params: { id: string }; Reply: z.output<typeof pairingProgress> }>(
    '/v1/instances/:id/qr-status',
    {
      config: { atOwner: 'path' },
      schema: { data: pairingProgress, ...qrStatusDocs },
      onRequest: options.admission({ scope: 'instances', planRequired: false, callers: 'both', readOnly: true }),
    },
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
        label: session.label,
        status,
        connected: status === 'open',
        phone_number: phoneNumber,
        qrcode: await qrcodeView(session),
        ...progress,
        ...(live ? {} : { check_incomplete: true }),
        source: live ? 'live' : 'cached',
      });
    },
  );
}
