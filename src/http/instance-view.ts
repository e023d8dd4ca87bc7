import QRCode from 'qrcode';
import { GatewayError } from '../core/index.ts';
import type { Session } from '../sessions/index.ts';
import type { Trace } from './request.ts';
import type { RouteOptions } from './route-options.ts';

/** The one shape of an instance in list, create and status (decisions §5). */
export function instanceView(session: Session) {
  const { restriction } = session;
  return {
    instance_id: session.id,
    label: session.label,
    status: session.status,
    connected: session.status === 'open',
    phone_number: session.phoneNumber,
    network: session.network.name,
    created_at: new Date(session.createdAt).toISOString(),
    ...(restriction === null ? {} : { restriction: { reason: restriction.reason, until: isoOrNull(restriction.until) } }),
  };
}

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** The QR object of the running attempt (contract, "QR object"); null when there is no code to show. */
export async function qrcodeView(session: Session) {
  // Taken together at once: the attempt may go on to its next code while this one is drawn.
  const { code, pairingCode } = session.attempt ?? { code: null, pairingCode: null };
  if (code === null) return null;
  return { base64: await QRCode.toDataURL(code, { margin: 2, width: 320 }), code, pairingCode };
}

/** The caller's instance of a path's `{id}`; throws instance_not_found also for another account's and for what is no UUID. */
export function ownInstance(
  options: RouteOptions,
  request: { params: { id: string }; admission: { accountId: string }; trace: Trace },
): Session {
  const session = options.sessions.find(request.admission.accountId, request.params.id);
  if (session === undefined) throw new GatewayError('instance_not_found', 'The account has no such instance.');
  request.trace.instanceId = session.id;
  return session;
}

/** Throws number_already_connected after a scan with a number that is connected on another instance. */
export function refuseConflict(session: Session): void {
  if (!session.conflict) return;
  throw new GatewayError(
    'number_already_connected',
    'The scanned number is already connected on another instance of the account, which keeps working. Scan with another number.',
  );
}
