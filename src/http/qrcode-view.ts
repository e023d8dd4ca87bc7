import { z } from 'zod';
import type { Session } from '../sessions/index.ts';
import { qrImage } from './qr-image.ts';

/** The QR object of the running attempt (contract, "QR object"). */
export const qrCode = z
  .object({
    base64: z.string().meta({ pattern: '^data:image/png;base64,', description: 'A PNG as a data URL, ready for the source of an image.' }),
    code: z.string().meta({ description: 'What the QR code says, to draw it yourself.' }),
    pairingCode: z.string().nullable().meta({ description: 'A code to type on the phone instead, when one was asked for; else null.' }),
  })
  .meta({ id: 'QrCode', description: 'A code to be scanned with the phone.' });

/** Draws the code of the running attempt; null when there is none to show. */
export function qrcodeView(session: Session): z.output<typeof qrCode> | null {
  const { code, pairingCode } = session.attempt ?? { code: null, pairingCode: null };
  if (code === null) return null;
  return { base64: `data:image/png;base64,${qrImage(code).toString('base64')}`, code, pairingCode };
}
