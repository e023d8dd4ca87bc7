/** What can become of a message after it was accepted. */
export const messageEvents = ['delivered', 'read', 'lost'] as const;
export type MessageEvent = (typeof messageEvents)[number];

/**
 * `delivered`: a device of its recipient has it. `read`: its recipient has read or played it; its `delivered` may come later or never. `lost`: a
 * device of its recipient could not read it and has asked for it again, and it cannot be given any more.
 */
export interface MessageNews {
  readonly event: MessageEvent;
  readonly messageId: string;
  /** Epoch milliseconds, as the network says; null: now. */
  readonly at: number | null;
  /** The link knows that it has sent the message. Where it does not, whoever stores the news finds that out, and drops what was not sent here. */
  readonly sentHere: boolean;
}

/** None: nobody wants to be told. */
export const noMessageEvents: ReadonlySet<MessageEvent> = new Set();
