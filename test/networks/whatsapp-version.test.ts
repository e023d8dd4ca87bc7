import { DEFAULT_CONNECTION_CONFIG } from 'baileys';
import { expect, test } from 'vitest';
import {
  bundledVersion,
  chooseVersion,
  isPlausible,
  nothingKnown,
  revisionIn,
  type VersionRecord,
} from '../../src/networks/whatsapp/version/choose-version.ts';
import { versionTrouble } from '../../src/networks/whatsapp/version/client-version.ts';

const dayMs = 24 * 60 * 60 * 1000;
const { revision: bundled, madeAt } = bundledVersion;
const known = (more: Partial<VersionRecord>): VersionRecord => ({ ...nothingKnown, ...more });

test('the bundled version is that of the library (Baileys 7.0.0-rc14)', () => {
  expect(DEFAULT_CONNECTION_CONFIG.version).toEqual([2, 3000, bundled]);
});

test('override before fetched before accepted before bundled [whatsapp.version-order]', () => {
  const all = known({ fetched: bundled + 2, fetched_at: 20, accepted: bundled + 1, accepted_at: 10 });
  expect(chooseVersion(all, 5)).toMatchObject({ revision: 5, source: 'override' });
  expect(chooseVersion(all, null)).toMatchObject({ revision: bundled + 2, source: 'fetched', fetchedAt: 20, acceptedAt: null });
  expect(chooseVersion(known({ accepted: bundled + 1, accepted_at: 10 }), null)).toMatchObject({
    revision: bundled + 1,
    source: 'accepted',
    acceptedAt: 10,
  });
  expect(chooseVersion(nothingKnown, null)).toEqual({
    revision: bundled,
    source: 'bundled',
    fetchedAt: null,
    acceptedAt: null,
    expiresAt: null,
  });
});

test('a refused version gives way to the next one, unless all are refused [whatsapp.version-order]', () => {
  const all = known({ fetched: bundled + 2, accepted: bundled + 1 });
  expect(chooseVersion(all, null, new Set([bundled + 2]))).toMatchObject({ source: 'accepted' });
  expect(chooseVersion(all, null, new Set([bundled + 2, bundled + 1]))).toMatchObject({ source: 'bundled' });
  expect(chooseVersion(all, null, new Set([bundled + 2, bundled + 1, bundled]))).toMatchObject({ source: 'fetched' });
});

test('what an older gateway remembered does not go before what a newer one brings along', () => {
  expect(chooseVersion(known({ fetched: bundled - 1, accepted: bundled - 2 }), null)).toMatchObject({ source: 'bundled' });
});

test('a version is plausible when it grows, and no faster than it can', () => {
  const now = madeAt + 10 * dayMs;
  expect(isPlausible(bundled, nothingKnown, now)).toBe(true);
  expect(isPlausible(bundled - 1, nothingKnown, now)).toBe(false);
  expect(isPlausible(bundled + 4_000_000, nothingKnown, now)).toBe(true);
  expect(isPlausible(bundled + 4_000_001, nothingKnown, now)).toBe(false);
  expect(isPlausible(bundled + 0.5, nothingKnown, now)).toBe(false);
  const accepted = known({ accepted: bundled + 500_000, accepted_at: now });
  expect(isPlausible(bundled + 499_999, accepted, now)).toBe(false);
  expect(isPlausible(bundled + 2_500_000, accepted, now)).toBe(true);
  expect(isPlausible(bundled + 2_500_001, accepted, now)).toBe(false);
  // A clock that is behind makes no version older than it is.
  expect(isPlausible(bundled + 2_000_000, nothingKnown, 0)).toBe(true);
});

test.each([
  ['{"client_revision":1043857761,"x":1}', 1_043_857_761],
  ['JSON.parse("{\\"client_revision\\":1043857761}")', 1_043_857_761],
  ['{"client_revision": 1043857761}', 1_043_857_761],
  ['<html>Sign in</html>', null],
  ['{"client_revision":"x"}', null],
])('what a page names: %s', (page, revision) => {
  expect(revisionIn(page)).toBe(revision);
});

test('a version is worried about when its end is announced, or when it is older than 60 days', () => {
  const old = chooseVersion(nothingKnown, null);
  expect(versionTrouble(old, madeAt + 60 * dayMs)).toBeNull();
  expect(versionTrouble(old, madeAt + 61 * dayMs)).toContain('61 days old');
  const fetched = chooseVersion(known({ fetched: bundled + 1, fetched_at: madeAt + 61 * dayMs }), null);
  expect(versionTrouble(fetched, madeAt + 61 * dayMs)).toBeNull();
  const ending = chooseVersion(
    known({ fetched: bundled + 1, fetched_at: madeAt, expiring: bundled + 1, expires_at: madeAt + dayMs }),
    null,
  );
  expect(versionTrouble(ending, madeAt)).toContain('will refuse this version from 2026-07-27');
});
