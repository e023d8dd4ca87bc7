/** The value of a field: bytes, or a number for a varint. */
type Value = Uint8Array | number;

/** The wanted parts of a message: fields to keep and nested messages to read in the same way. All other fields are skipped. */
export interface Shape {
  readonly keep?: readonly number[];
  readonly within?: Readonly<Record<number, Shape>>;
  /** Called at the end of the message with the kept fields; of a repeated field only the last value. */
  done?(fields: Fields): void;
}

/** The kept fields of one message. */
export class Fields {
  readonly #values = new Map<number, Value>();

  set(field: number, value: Value): void {
    this.#values.set(field, value);
  }

  /** null when it is missing or empty. */
  bytes(field: number): Uint8Array | null {
    const value = this.#values.get(field);
    return value instanceof Uint8Array && value.length > 0 ? value : null;
  }

  text(field: number): string | null {
    const bytes = this.bytes(field);
    return bytes === null ? null : Buffer.from(bytes).toString('utf8');
  }

  /** 0 when it is missing. */
  number(field: number): number {
    const value = this.#values.get(field);
    return typeof value === 'number' ? value : 0;
  }

  /** The fields as a message. */
  encoded(): Uint8Array {
    return Buffer.concat([...this.#values].map(([field, value]) => encodedField(field, value)));
  }
}

/** One field of a message: bytes after their length, or a number. */
export function encodedField(field: number, value: Value): Uint8Array {
  if (typeof value === 'number') return Buffer.concat([varint(field * 8), varint(value)]);
  return Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.from([...bytes, rest]);
}

interface Frame {
  readonly shape: Shape;
  readonly fields: Fields;
  /** The position at which the message ends; infinite for the outermost. */
  readonly end: number;
}

interface Kept {
  readonly field: number;
  readonly bytes: Buffer;
  filled: number;
}

/** The longest field that is kept. Tokens, salts and addresses are much shorter. */
const longestKept = 64 * 1024;

/**
 * Reads a Protocol Buffers message of any length piece by piece. It needs memory only for one piece and the wanted fields. Supports the part of the
 * format that WhatsApp's messages use: no groups.
 */
export class ProtobufStream {
  readonly #frames: Frame[];
  #position = 0;
  /** Bytes of a varint read so far. */
  #varint = 0;
  #shift = 1;
  /** The field whose length or value comes next; null when a tag comes next. */
  #field: number | null = null;
  #isLength = false;
  #skip = 0;
  #kept: Kept | null = null;

  constructor(shape: Shape) {
    this.#frames = [{ shape, fields: new Fields(), end: Number.POSITIVE_INFINITY }];
  }

  /** Reads the next piece. Throws when it is malformed. */
  push(piece: Uint8Array): void {
    let at = 0;
    while (at < piece.length) {
      const left = piece.length - at;
      if (this.#skip > 0) at += this.#pass(Math.min(left, this.#skip));
      else if (this.#kept !== null) at += this.#fill(this.#kept, piece.subarray(at, at + this.#kept.bytes.length - this.#kept.filled));
      else this.#byte(piece[at++] ?? 0);
      this.#endMessages();
    }
  }

  /** Ends the message. Throws when it ends in the middle of a field. */
  end(): void {
    const [outermost, ...open] = this.#frames;
    if (open.length > 0 || this.#skip > 0 || this.#kept !== null || this.#field !== null || this.#shift > 1) {
      throw new Error('a message broke off');
    }
    outermost?.shape.done?.(outermost.fields);
  }

  get #frame(): Frame {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new Error('no message is being read');
    return frame;
  }

  #byte(byte: number): void {
    this.#position++;
    this.#varint += (byte & 0x7f) * this.#shift;
    if (byte > 0x7f) {
      this.#shift *= 128;
      if (this.#shift > 2 ** 63) throw new Error('a number is too long');
      return;
    }
    const value = this.#varint;
    this.#varint = 0;
    this.#shift = 1;
    if (this.#field === null) this.#tag(value);
    else if (this.#isLength) this.#content(this.#field, value);
    else this.#number(this.#field, value);
  }

  #tag(tag: number): void {
    const type = tag % 8;
    this.#isLength = type === 2;
    if (type === 0 || type === 2) this.#field = Math.floor(tag / 8);
    else if (type === 1) this.#skip = 8;
    else if (type === 5) this.#skip = 4;
    else throw new Error(`a field has the unknown type ${type}`);
  }

  #number(field: number, value: number): void {
    const { shape, fields } = this.#frame;
    if (shape.keep?.includes(field)) fields.set(field, value);
    this.#field = null;
  }

  #content(field: number, length: number): void {
    this.#field = null;
    const { shape, fields, end } = this.#frame;
    if (this.#position + length > end) throw new Error('a field is longer than its message');
    const inner = shape.within?.[field];
    if (inner !== undefined) this.#frames.push({ shape: inner, fields: new Fields(), end: this.#position + length });
    else if (shape.keep?.includes(field) && length <= longestKept) {
      if (length === 0) fields.set(field, Buffer.alloc(0));
      else this.#kept = { field, bytes: Buffer.alloc(length), filled: 0 };
    } else this.#skip = length;
  }

  #pass(length: number): number {
    this.#skip -= length;
    this.#position += length;
    return length;
  }

  #fill(kept: Kept, bytes: Uint8Array): number {
    kept.bytes.set(bytes, kept.filled);
    kept.filled += bytes.length;
    this.#position += bytes.length;
    if (kept.filled === kept.bytes.length) {
      this.#frame.fields.set(kept.field, kept.bytes);
      this.#kept = null;
    }
    return bytes.length;
  }

  #endMessages(): void {
    while (this.#position >= this.#frame.end && this.#skip === 0 && this.#kept === null) {
      const { shape, fields, end } = this.#frame;
      if (this.#position > end || this.#field !== null || this.#shift > 1) throw new Error('a message broke off');
      this.#frames.pop();
      shape.done?.(fields);
    }
  }
}
