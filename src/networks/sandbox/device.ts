/** One linked device, as a phone's list of linked devices would show it. */
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

/** The device id in a credential record. Throws when the bytes are not a valid record. */
export function decodeDeviceId(record: Uint8Array): string {
  const parsed: unknown = JSON.parse(Buffer.from(record).toString());
  if (typeof parsed === 'object' && parsed !== null && 'device_id' in parsed && typeof parsed.device_id === 'string')
    return parsed.device_id;
  throw new Error('the credential record of a sandbox number names no device');
}
