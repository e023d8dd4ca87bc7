import { normalizeMessageContent, type proto, toNumber } from 'baileys';
import type { ChatTimer } from './api.ts';

/** The timer of disappearing messages that a decrypted message carries; null for none. */
export function timerOf(message: proto.IMessage): ChatTimer | null {
  const parts: unknown[] = Object.values(normalizeMessageContent(message) ?? {});
  for (const part of parts) {
    if (typeof part !== 'object' || part === null || !('contextInfo' in part)) continue;
    const { expiration, ephemeralSettingTimestamp } = (part.contextInfo ?? {}) as proto.IContextInfo;
    if (expiration) return { expiration, setAt: toNumber(ephemeralSettingTimestamp) };
  }
  return null;
}
