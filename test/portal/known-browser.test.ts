import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createVault } from '../../src/core/index.ts';
import { knownBrowser, knownBrowserCookie } from '../../src/portal/sign-in/known-browser.ts';

const first = randomBytes(32);
const options = { vault: createVault(first), publicUrl: null };
const email = 'owner@example.com';
const from = (cookie?: string) => ({ headers: { cookie }, protocol: 'http' as const });
const cookieOf = (header: string) => header.slice(0, header.indexOf(';'));
const made = cookieOf(knownBrowserCookie(options, from(), email));

it('is known by its cookie among others, however the address is typed, and keeps its id', () => {
  const id = knownBrowser(options, from(`other=1; ${made}; more=2`), email);
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(knownBrowser(options, from(made), ' Owner@Example.com ')).toBe(id);
  const again = cookieOf(knownBrowserCookie(options, from(made), email));
  expect(again).toBe(made);
  expect(cookieOf(knownBrowserCookie(options, from(), email))).not.toBe(made);
});

it('is unknown for anybody else, with any changed cookie, and after SECRET_KEY was replaced', () => {
  expect(knownBrowser(options, from(), email)).toBeNull();
  expect(knownBrowser(options, from(made), 'member@example.com')).toBeNull();
  const value = made.slice(made.indexOf('=') + 1);
  fc.assert(
    fc.property(fc.nat(value.length - 1), fc.constantFrom('', 'A', 'b', '-', 'ß', '='), (place, put) => {
      const changed = `${value.slice(0, place)}${put}${value.slice(place + 1)}`;
      if (changed !== value) expect(knownBrowser(options, from(`gateway.known_browser=${changed}`), email)).toBeNull();
    }),
  );
  const sealing = new Map([
    [1, first],
    [2, randomBytes(32)],
  ]);
  const replaced = { ...options, vault: createVault({ root: first, sealing, current: 2 }) };
  expect(knownBrowser(replaced, from(made), email)).toBeNull();
  expect(knownBrowser(replaced, from(cookieOf(knownBrowserCookie(replaced, from(), email))), email)).not.toBeNull();
});
