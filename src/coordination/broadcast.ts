/**
 * Tells the other servers, with best effort and nothing stored. Those who listen here hear nothing of it: they know already.
 */
export interface Broadcast {
  publish(topic: string, payload: unknown): void;
  /** `gap`: something may have been missed. */
  subscribe(topic: string, listener: { readonly hear: (payload: unknown) => void; readonly gap: () => void }): Promise<void>;
}
