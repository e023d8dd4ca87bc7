import type { FastifyInstance } from 'fastify';
import { qrStatusDocs } from '../docs/instances.ts';
import { succeed } from '../envelope.ts';
import { ownInstance, qrcodeView, refuseConflict } from '../instance-view.ts';
import type { RouteOptions } from '../route-options.ts';

/** GET /v1/instances/{id}/qr-status: how the pairing attempt goes, polled while somebody scans. */
export function instanceQrStatusRoute(server: FastifyInstance, options: RouteOptions): void {
  server.get<{ Params: { id: string } }>(
    '/v1/instances/:id/qr-status',
    { schema: qrStatusDocs, onRequest: options.admission({ scope: 'instances', planRequired: false, callers: 'both' }) },
    async (request, reply) => {
      const session = ownInstance(options, request);
      refuseConflict(session);
      const live = await session.probe();
      // The attempt may have ended in a conflict while the check ran.
      refuseConflict(session);
      // All of one moment, the code included: drawing it takes a while.
      const { attempt, status, phoneNumber } = session;
      const progress = {
        rotation_count: attempt === null ? null : attempt.sequence,
        rotation_limit: session.network.rotationLimit,
        exhausted: attempt?.exhausted ?? false,
        ...(attempt?.passkeyRequired === true ? { passkey_required: true } : {}),
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
