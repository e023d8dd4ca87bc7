/** The most bytes of one text. */
export const mostTextBytes = 1024 * 1024;

/**
 * Carries short texts between nodes, on named channels. Best effort: a text may be lost, or arrive twice, but never in part. What one node
 * sends on a channel arrives in the order it was sent.
 */
export interface Wire {
  /** Whether texts can be sent and heard at this moment. */
  readonly up: boolean;
  /**
   * Sends to all who listen on the channel at this moment, this node included; resolves to how many they were. Throws NotSent when nothing
   * has left this process, TextTooLarge over 1 MiB; after any other error the text may have arrived all the same.
   */
  publish(channel: string, text: string): Promise<number>;
  /**
   * Calls `heard` with every text on the channel until the returned function is called. Resolves when the channel is listened to; while the
   * wire is down, immediately, and listening begins when it is up again. `heard` must not throw.
   */
  listen(channel: string, heard: (text: string) => void): Promise<() => Promise<void>>;
  /** Tells when the wire goes down (false), and when it is up and listening to all channels again (true): texts in between were missed. */
  onChange(listener: (up: boolean) => void): () => void;
}

/** The text has not left this process. */
export class NotSent extends Error {
  override readonly name: string = 'NotSent';
}

/** The text is over `mostTextBytes`, and was not sent. */
export class TextTooLarge extends Error {
  override readonly name = 'TextTooLarge';
}

/** Throws TextTooLarge for a text that no wire carries. */
export function checkSize(text: string): void {
  // No character is more than three bytes, so most texts need no count.
  if (text.length * 3 <= mostTextBytes) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > mostTextBytes) throw new TextTooLarge(`a message to other nodes has ${bytes} bytes; at most ${mostTextBytes} may be sent`);
}
