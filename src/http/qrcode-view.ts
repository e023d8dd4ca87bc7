import QRCode from 'qrcode';
import { z } from 'zod';
import type { Session } from '../sessions/index.ts';

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
