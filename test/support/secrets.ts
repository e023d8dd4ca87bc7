/** What must not show up anywhere, in any of the forms in which programs print text and bytes. */
export class Secrets {
  readonly #texts = new Map<string, string>();
  readonly #forms = new Map<string, string>();
  #count = 0;

  /** How many things are looked for. */
  get count(): number {
    return this.#count;
  }

  /** Text of at least eight characters: as it is, within JSON or a link, or as bytes. */
  addText(name: string, text: string): void {
    if (text.length < 8) throw new Error(`${name} is too short to be told from other text`);
    this.#texts.set(text, name);
    this.#texts.set(JSON.stringify(text).slice(1, -1), name);
    this.#texts.set(encodeURIComponent(text.toWellFormed()), name);
    this.addBytes(name, Buffer.from(text));
  }

  /** Bytes, at least eight: hex (`<Buffer …>` included), base64 and base64url at any place of something longer, lists and objects of numbers. */
  addBytes(name: string, bytes: Uint8Array): void {
    if (bytes.length < 8) throw new Error(`${name} is too short to be told from other bytes`);
    this.#count++;
    const start = Buffer.from(bytes.subarray(0, mostBytes));
    this.#forms.set(start.toString('hex'), name);
    this.#forms.set(start.join(), name);
    this.#forms.set([...start].map((byte, place) => `"${place}":${byte}`).join(), name);
    for (const form of base64Forms(start)) this.#forms.set(form, name);
  }

  /** The names of what is in the text; empty when it tells nothing. Never quotes what it found. */
  foundIn(text: string): string[] {
    const found = new Set<string>();
    for (const [secret, name] of this.#texts) if (text.includes(secret)) found.add(name);
    // Without line breaks and spaces, written as such or escaped, and quotes of keys.
    const squeezed = text.replaceAll(/\\n|\s/g, '').replaceAll('\\"', '"');
    const haystacks = [squeezed, squeezed.toLowerCase(), squeezed.replaceAll('-', '+').replaceAll('_', '/')];
    for (const [secret, name] of this.#forms) if (haystacks.some((haystack) => haystack.includes(secret))) found.add(name);
    return [...found];
  }
}

/** Node's `<Buffer …>` shows no more than the first 50 bytes. */
const mostBytes = 48;

/** The bytes in base64 within something longer: which letters they give depends on where their first byte falls in a group of three. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((skipped) => {
    const whole = bytes.subarray(skipped);
    return whole.subarray(0, whole.length - (whole.length % 3)).toString('base64');
  });
}
