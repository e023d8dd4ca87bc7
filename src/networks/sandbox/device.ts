/** One linked device: what a phone's list of linked devices would show. */
export interface Device {
  readonly id: string;
  readonly accountId: string;
  readonly instanceId: string;
  /** Digits. */
  readonly phoneNumber: string;
  /** Epoch milliseconds. */
  readonly linkedAt: number;
}

/** The name of the one credential record of a sandbox number. */
export const deviceRecord = 'device';

/** The bytes of the credential record. */
export function encodeDevice(device: Device): Buffer {
  return Buffer.from(JSON.stringify({ device_id: device.id, phone_number: device.phoneNumber }));
}

/** The device id of a credential record; null when the bytes are not one. */
export function decodeDeviceId(record: Uint8Array): string | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(record).toString());
    if (typeof parsed !== 'object' || parsed === null || !('device_id' in parsed)) return null;
    return typeof parsed.device_id === 'string' ? parsed.device_id : null;
  } catch {
    return null;
  }
}
