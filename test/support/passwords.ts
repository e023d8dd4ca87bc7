import { hash as digest } from 'node:crypto';
import type { Passwords } from '../../src/portal/index.ts';

const stored = (password: string) => `sha256:${digest('sha256', password)}`;

/** Passwords that cost nothing to check, where a test is not about them; the real ones take 60 ms of the processor each. */
export const cheapPasswords: Passwords = {
  hash: async (password) => stored(password),
  verify: async ({ hash, password }) => hash === stored(password),
};
