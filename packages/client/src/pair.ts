import type { Gateway, Schemas } from './client.ts';
import { isApiError } from './errors.ts';
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

type Progress = Schemas['PairingProgress'];

export type PairingStep =
  /** Show this code in the place of the last one: it changes. `qrcode.base64` is an image, `qrcode.pairingCode` what to type. */
  | { readonly type: 'code'; readonly qrcode: Schemas['QrCode'] }
  /** The network asks for the passkey of the account: `getInstancePasskey` has the request. */
  | { readonly type: 'passkey'; readonly passkey: NonNullable<Progress['passkey']> }
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
    let shown: unknown = null;
    let progress = await passkeyUnderWay(gateway, instanceId, options);
    if (progress === null) {
      const begun = await gateway.getInstanceQr(instanceId, { ...(phoneNumber === undefined ? {} : { phoneNumber }), ...options });
      if (begun.qrcode !== null) {
        shown = shownOf(begun.qrcode);
        yield { type: 'code', qrcode: begun.qrcode };
      }
      // A number that is connected already needs no time for a scan.
      if (!begun.already_connected) await wait(intervalMs, options.signal);
      progress = await gateway.getInstanceQrStatus(instanceId, options);
    }
    for (;;) {
      const { connected, qrcode, passkey, phone_number } = progress;
      if (connected) {
        yield { type: 'linked', phoneNumber: phone_number };
        return;
      }
      if (passkey !== undefined && passkey.stage !== shown) {
        shown = passkey.stage;
        yield { type: 'passkey', passkey };
      }
      if (isOver(progress)) break;
      if (qrcode !== null && shownOf(qrcode) !== shown) {
        shown = shownOf(qrcode);
        yield { type: 'code', qrcode };
      }
      await wait(intervalMs, options.signal);
      progress = await gateway.getInstanceQrStatus(instanceId, options);
    }
  }
  yield { type: 'expired' };
}

/** An attempt that has come to a passkey already; null without one. It has no code that `getInstanceQr` could give. */
async function passkeyUnderWay(gateway: Gateway, instanceId: string, options: CallOptions): Promise<Progress | null> {
  try {
    const progress = await gateway.getInstanceQrStatus(instanceId, options);
    return progress.passkey === undefined || isOver(progress) ? null : progress;
  } catch (error) {
    // So the last attempt has ended; the next may be scanned with another number.
    if (isApiError(error, 'number_already_connected')) return null;
    throw error;
  }
}

/** A lost connection or a logout ends an attempt too, before its codes run out. */
function isOver({ exhausted, status }: Progress): boolean {
  return exhausted || status === 'close';
}

/** The code to type is renewed beside the same QR code. */
function shownOf({ code, pairingCode }: Schemas['QrCode']): string {
  return `${code} ${pairingCode}`;
}
