import { ensureLanguages } from '../languages.ts';

/** Installs the languages that requests are written in, or says that they are missing, before a test waits for them. */
export default function setup(): void {
  ensureLanguages();
}
