import { dayMs } from '../../core/index.ts';

/** How long WhatsApp Web uses a signed pre-key, in milliseconds. Sources: zapo (constants.ts), whatsapp-rust (rotate_key.rs). */
export const signedPreKeyLifeMs = 27 * dayMs;

/**
 * Whether a number's signed pre-key is to be looked after: it has been in use for long enough, or it is not known since when (the number was just
 * linked, or the clock was wrong). All times in epoch milliseconds.
 */
export function isSignedPreKeyDue(since: number | null, now: number): boolean {
  return since === null || since > now || now - since >= signedPreKeyLifeMs;
}
