import { createHash } from 'node:crypto';
import { jidDecode } from 'baileys';

/** The network itself, as the sender of its own stanzas. */
export const networkJid = '@s.whatsapp.net';

export interface ParsedJid {
  readonly user: string;
  readonly server: string;
  readonly device: number;
}

/** Null for anything that is not `user[:device]@server`. */
export function parseJid(jid: string | undefined): ParsedJid | null {
  const parsed = jidDecode(jid);
  return parsed ? { user: parsed.user, server: parsed.server, device: parsed.device ?? 0 } : null;
}

export function numberJid(number: string, device = 0): string {
  return device === 0 ? `${number}@s.whatsapp.net` : `${number}:${device}@s.whatsapp.net`;
}

export function lidJid(lid: string, device = 0): string {
  return device === 0 ? `${lid}@lid` : `${lid}:${device}@lid`;
}

/** The LID user of a phone number: 15 digits, always the same, and never a phone number used in tests. */
export function lidOf(number: string): string {
  const digits = BigInt(`0x${createHash('sha256').update(number).digest('hex').slice(0, 15)}`) % 10n ** 13n;
  return `99${digits.toString().padStart(13, '0')}`;
}
