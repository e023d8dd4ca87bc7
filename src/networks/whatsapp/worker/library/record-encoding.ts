import { deserialize, serialize } from 'node:v8';

/** The format of a record is its first byte. A new format gets a new number, so that old records stay readable. */
const formats = { bytes: 1, json: 2, structured: 3 } as const;
type Format = keyof typeof formats;

/**
 * Encodes a record. `json` is the shortest and fastest, but only for values of strings and numbers; `structured` also keeps byte arrays inside
 * objects.
 */
export function encodeRecord(format: Format, value: unknown): Buffer {
  const body = bodyOf(format, value);
  const record = Buffer.allocUnsafeSlow(body.length + 1);
  record[0] = formats[format];
  record.set(body, 1);
  return record;
}

/** Decodes a record into a value that shares no memory with it. Throws when this version does not know the format. */
export function decodeRecord(record: Uint8Array): unknown {
  // A copy, because the record is a view of a larger block of memory, which it would keep alive.
  const body = Buffer.from(record.subarray(1));
  switch (record[0]) {
    case formats.bytes:
      return body;
    case formats.json:
      return JSON.parse(body.toString('utf8'));
    case formats.structured:
      return deserialize(body);
    default:
      throw new Error(`a stored credential has the unknown format ${record[0]}: it was written by a newer version`);
  }
}

function bodyOf(format: Format, value: unknown): Uint8Array {
  switch (format) {
    case 'bytes':
      if (!(value instanceof Uint8Array)) throw new TypeError('this record must hold bytes');
      return value;
    case 'json':
      return Buffer.from(JSON.stringify(value), 'utf8');
    case 'structured':
      return serialize(value);
  }
}
