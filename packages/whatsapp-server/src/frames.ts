/** Splits a byte stream into frames: three bytes of length, then the frame. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): Buffer[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Buffer[] = [];
    while (this.#rest.length >= 3) {
      const end = 3 + this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < end) break;
      frames.push(this.#rest.subarray(3, end));
      this.#rest = this.#rest.subarray(end);
    }
    return frames;
  }
}

export function frameOf(data: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(3 + data.length);
  frame.writeUIntBE(data.length, 0, 3);
  frame.set(data, 3);
  return frame;
}
