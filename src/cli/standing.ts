import type { Standing } from '../sessions/index.ts';

const words: Readonly<Record<Standing, string>> = {
  connected: 'connected',
  linked: 'linked',
  reconnecting: 'reconnecting',
  pairing: 'waiting for a scan',
  never_linked: 'never linked',
  needs_person: 'needs a person',
};

/** How a number is, in a word or two. */
export const standingText = (standing: Standing): string => words[standing];
