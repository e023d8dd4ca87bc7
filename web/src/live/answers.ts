import { isEnvelope } from '../api/client.ts';

/** How long the server may take to answer. */
const answerMs = 4000;

/** Asks the server whether it is there. */
export async function answersNow(): Promise<boolean> {
  try {
    const response = await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(answerMs) });
    return isEnvelope(await response.json());
  } catch {
    return false;
  }
}
