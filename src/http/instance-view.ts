import QRCode from 'qrcode';
import { z } from 'zod';
import { GatewayError, iso, isoOrNull, noInstance } from '../core/index.ts';
import { text } from '../kinds/index.ts';
import { networkNames, type PasskeyState, passkeyStages, restrictionReasons } from '../networks/index.ts';
import { type InstanceState, newChatsView, restrictionView, type Session, type UnservedNumber } from '../sessions/index.ts';
import type { Trace } from './request.ts';
import type { RouteOptions } from './route-options.ts';

const restriction = z
  .object({
    reason: z.enum(restrictionReasons).meta({
      description:
        '`reach_out_blocked`: it may not start new chats; existing chats go on. ' +
        '`new_chats_capped`: it has started as many new chats as it may in this cycle; existing chats go on. `temporarily_banned`: it may not connect, and comes back by itself afterwards. ' +
        '`version_refused`: the network asks for a newer version of the gateway. ' +
        '`replaced`: another program has logged in with the same credentials; asking for the QR code takes the number back.',
    }),
    until: z.string().nullable().meta({ format: 'date-time', description: 'When it ends, in UTC; null when the network does not say.' }),
  })
  .meta({ id: 'Restriction', description: 'A limit the network has put on the number. Present only while one is known.' });

const newChatsShape = z
  .object({
    used: z.int().meta({ description: 'How many it has started in this cycle.' }),
    quota: z.int().meta({ description: 'How many it may start.' }),
    cycle_ends_at: z
      .string()
      .nullable()
      .meta({ format: 'date-time', description: 'When the next cycle begins, in UTC; null when the network does not say.' }),
  })
  .meta({
    id: 'NewChats',
    description:
      'How many new chats the number may start in a cycle: what the network allows, or its own budget per UTC day where that leaves fewer. Existing chats do not count.',
  });

/** The one shape of an instance in list, create and status (decisions §5). */
export const instance = z
  .object({
    instance_id: z.string().meta({ format: 'uuid', description: 'The number slot; stays the same for the life of the instance.' }),
    label: z.string().nullable().meta({ maxLength: 60, description: 'Your own name for the number; null if it has none.' }),
    status: z.enum(['open', 'connecting', 'close']).meta({
      id: 'InstanceStatus',
      description:
        '`open`: connected and able to send. `connecting`: being paired, or a linked number is coming back. `close`: not connected, a person must scan.',
    }),
    connected: z.boolean().meta({ description: 'true only while `status` is `open`.' }),
    phone_number: z.string().nullable().meta({
      pattern: '^[1-9][0-9]{5,14}$',
      description: 'Digits of the linked number; null if it was never linked. Kept after a disconnect.',
    }),
    network: z.enum(networkNames).meta({ description: 'The network it belongs to.' }),
    created_at: z.string().meta({ format: 'date-time', description: 'When it was created, in UTC.' }),
    new_chats: newChatsShape
      .nullable()
      .meta({ description: 'How many new chats it may start; null if the network has not said and it has no budget.' }),
    restriction: restriction.optional(),
  })
  .meta({ id: 'Instance', description: 'A number that is or can be linked.' });

export type Instance = z.output<typeof instance>;

/** An instance as every answer shows it. */
export function instanceView(state: InstanceState): Instance {
  const { restriction, newChats } = state;
  return {
    instance_id: state.instanceId,
    label: state.label,
    status: state.status,
    connected: state.status === 'open',
    phone_number: state.phoneNumber,
    network: state.network,
    created_at: iso(state.createdAt),
    new_chats: newChatsView(newChats),
    ...(restriction === null ? {} : { restriction: restrictionView(restriction) }),
  };
}

interface AtInstance {
  readonly params: { readonly id: string };
  readonly admission: { readonly accountId: string };
  readonly moving: boolean;
  readonly trace: Trace;
}

/**
 * The caller's instance of a path's `{id}`. Throws instance_not_found also for another account's and for what is no UUID, and OwnershipLost when
 * another server took the number meanwhile.
 */
export function ownInstance(options: RouteOptions, request: AtInstance): Session {
  const session = options.sessions.find(request.admission.accountId, request.params.id);
  if (session === undefined) throw noInstance(request);
  request.trace.instanceId = session.id;
  return session;
}

/** As `ownInstance`, but finds it also while its network is not enabled. */
export async function ownOrUnserved(options: RouteOptions, request: AtInstance): Promise<Session | UnservedNumber> {
  const { sessions } = options;
  const { admission, params, moving, trace } = request;
  if (!moving && sessions.find(admission.accountId, params.id) === undefined) {
    const unserved = await sessions.unserved.find(admission.accountId, params.id);
    if (unserved !== undefined) {
      trace.instanceId = unserved.id;
      return unserved;
    }
  }
  return ownInstance(options, request);
}

/** Throws number_already_connected after a scan with a number that is connected on another instance. */
export function refuseConflict(session: Session): void {
  if (!session.conflict) return;
  throw new GatewayError(
    'number_already_connected',
    'The scanned number is already connected on another instance of the account, which keeps working. Scan with another number.',
  );
}

/** An instance's label of `min` to 60 characters. Control characters are refused: not every database can hold them. */
export function label(min: number) {
  return text(min, 60).refine((value) => !/\p{Cc}/u.test(value), { error: 'must not contain control characters' });
}

/** The QR object of the running attempt (contract, "QR object"). */
export const qrCode = z
  .object({
    base64: z.string().meta({ pattern: '^data:image/png;base64,', description: 'A PNG as a data URL, ready to use as an image source.' }),
    code: z.string().meta({ description: 'The content of the QR code, to draw it yourself.' }),
    pairingCode: z.string().nullable().meta({ description: 'A code to type on the phone instead, if one was requested; otherwise null.' }),
  })
  .meta({ id: 'QrCode', description: 'A code to scan with the phone.' });

/** Draws the code of the running attempt; null when there is none to show. */
export async function qrcodeView(session: Session): Promise<z.output<typeof qrCode> | null> {
  // Read together, because the attempt may go on to its next code while this one is drawn.
  const { code, pairingCode } = session.attempt ?? { code: null, pairingCode: null };
  if (code === null) return null;
  return { base64: await QRCode.toDataURL(code, { margin: 2, width: 320 }), code, pairingCode };
}

/** How far linking with a passkey has come. */
export const passkeyStage = z.enum(passkeyStages).meta({
  description:
    '`requested`: somebody has to give the passkey. `signed`: the network has taken it. `confirming`: the phone goes on, and a code may have to be compared. ' +
    '`failed`: the attempt is over, and the QR endpoint begins the next one.',
});

export const passkeyProgress = z
  .object({
    stage: passkeyStage,
    expires_at: z
      .string()
      .nullable()
      .meta({ format: 'date-time', description: 'When this stage times out, in UTC; null once it has failed.' }),
    reason: z.string().optional().meta({ description: 'Why it failed, as a sentence. Present with `failed` only.' }),
  })
  .meta({ description: 'The progress of linking with the passkey. Present with `passkey_required`.' });

interface PasskeyView {
  readonly passkey_required?: true;
  readonly passkey?: z.output<typeof passkeyProgress>;
}

/** For qr-status; nothing while no passkey is asked for (decisions §11). */
export function passkeyView(passkey: PasskeyState | null): PasskeyView {
  if (passkey === null) return {};
  const { stage, expiresAt, reason } = passkey;
  return { passkey_required: true, passkey: { stage, expires_at: isoOrNull(expiresAt), ...(reason === null ? {} : { reason }) } };
}
