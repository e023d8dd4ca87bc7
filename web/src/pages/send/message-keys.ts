/**
 * The Idempotency-Keys of what is sent by hand: one for each content, so that trying again never sends twice. What was accepted is forgotten
 * when something else is sent: whoever comes back to it then means another message.
 */
export class MessageKeys {
  readonly #keys = new Map<string, string>();
  readonly #accepted = new Set<string>();

  /** The key of this content, the same until it is accepted and something else is sent. */
  of(content: string): string {
    for (const other of this.#accepted) {
      if (other !== content) this.renew(other);
    }
    const key = this.#keys.get(content) ?? randomKey();
    this.#keys.set(content, key);
    return key;
  }

  /** The content was accepted for delivery. */
  accepted(content: string): void {
    this.#accepted.add(content);
  }

  /** The next send of this content is another message. */
  renew(content: string): void {
    this.#keys.delete(content);
    this.#accepted.delete(content);
  }
}

/** `crypto.randomUUID` is missing where the portal is reached without HTTPS. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
