import type { Gateway, Schemas } from './client.ts';
import type { CallOptions } from './transport.ts';
import { wait } from './wait.ts';

export interface PairingOptions extends CallOptions {
  /** The number of the phone, if its owner is to type a code instead of scanning. */
  readonly phoneNumber?: string;
  /** How many attempts are made; 3 by default. One ends after some minutes without a scan, or before when its connection is lost. */
  readonly attempts?: number;
  /** How often the gateway is asked, every 2.5 seconds by default. */
  readonly intervalMs?: number;
}

export type PairingStep =
  /** Show this code in the place of the last one: it changes. `qrcode.base64` is an image, `qrcode.pairingCode` what to type. */
  | { readonly type: 'code'; readonly qrcode: Schemas['QrCode'] }
  /** The network asks for the passkey of the account: `getInstancePasskey` has the request. */
  | { readonly type: 'passkey'; readonly passkey: NonNullable<Schemas['PairingProgress']['passkey']> }
  | { readonly type: 'linked'; readonly phoneNumber: string | null }
  /** No attempt ended with a scan. */
  | { readonly type: 'expired' };

/** Pairs until the number is linked, or until the attempts are used up. */
export async function* pair(
  gateway: Gateway,
  instanceId: string,
  { phoneNumber, attempts = 3, intervalMs = 2500, ...options }: PairingOptions = {},
): AsyncGenerator<PairingStep, void, undefined> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const begun = await gateway.getInstanceQr(instanceId, { ...(phoneNumber === undefined ? {} : { phoneNumber }), ...options });
    let shown: unknown = null;
    if (begun.qrcode !== null) {
      shown = shownOf(begun.qrcode);
      yield { type: 'code', qrcode: begun.qrcode };
    }
    for (let asked = 0; ; asked++) {
      // A number that is connected already needs no time for a scan.
      if (asked > 0 || !begun.already_connected) await wait(intervalMs, options.signal);
      const { status, connected, exhausted, qrcode, passkey, phone_number } = await gateway.getInstanceQrStatus(instanceId, options);
      if (connected) {
        yield { type: 'linked', phoneNumber: phone_number };
        return;
      }
      if (passkey !== undefined && passkey.stage !== shown) {
        shown = passkey.stage;
        yield { type: 'passkey', passkey };
      }
      // A lost connection or a logout ends an attempt too, before its codes run out.
      if (exhausted || status === 'close') break;
      if (qrcode !== null && shownOf(qrcode) !== shown) {
        shown = shownOf(qrcode);
        yield { type: 'code', qrcode };
      }
    }
  }
  yield { type: 'expired' };
}

/** The code to type is renewed beside the same QR code. */
function shownOf({ code, pairingCode }: Schemas['QrCode']): string {
  return `${code} ${pairingCode}`;
}
