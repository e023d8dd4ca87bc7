import { z } from 'zod';
import { isoOrNull } from '../core/index.ts';
import { type PasskeyState, passkeyStages } from '../networks/index.ts';

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
