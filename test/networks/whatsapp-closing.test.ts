import { describe, expect, test } from 'vitest';
import { type Closing, leavesLinked, reactionTo } from '../../src/networks/whatsapp/closing.ts';

const now = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;
const closing = (code: number | null, more: Partial<Closing> = {}): Closing => ({ code, conflict: null, expireSeconds: null, ...more });
const context = { now, pairing: false, versionPauseMs: 60 * 60 * 1000 };

describe('what the end of a connection means', () => {
  test.each([
    [515, { reason: 'restart' }],
    [401, { reason: 'unlinked' }],
    [403, { reason: 'banned' }],
    [406, { reason: 'banned' }],
    [405, { reason: 'lost', notBefore: now + 60 * minuteMs, restriction: { reason: 'version_refused', until: null } }],
    [409, { reason: 'lost', notBefore: now + 60 * minuteMs, restriction: { reason: 'version_refused', until: null } }],
    [411, { reason: 'unlinked' }],
    [440, { reason: 'replaced' }],
    [408, { reason: 'lost' }],
    [428, { reason: 'lost' }],
    [500, { reason: 'lost' }],
    [503, { reason: 'lost' }],
    [999, { reason: 'lost' }],
    [null, { reason: 'lost' }],
  ])('code %s of a linked number', (code, reaction) => {
    expect(reactionTo(closing(code), context)).toEqual(reaction);
  });

  test.each([401, 403, 406, 411, 440])('code %s during an attempt', (code) => {
    expect(reactionTo(closing(code), { ...context, pairing: true })).toEqual({ reason: 'refused' });
  });

  test.each([405, 409])('code %s when there is another version to try: at once again', (code) => {
    expect(reactionTo(closing(code), { ...context, versionPauseMs: 0 })).toEqual({ reason: 'restart' });
    expect(reactionTo(closing(code), { ...context, pairing: true, versionPauseMs: 0 })).toEqual({ reason: 'restart' });
  });

  test('a conflict says more than its code', () => {
    expect(reactionTo(closing(440, { conflict: 'device_removed' }), context)).toEqual({ reason: 'unlinked' });
    expect(reactionTo(closing(401, { conflict: 'device_removed' }), context)).toEqual({ reason: 'unlinked' });
    expect(reactionTo(closing(401, { conflict: 'replaced' }), context)).toEqual({ reason: 'replaced' });
  });

  test.each([
    ['is over', [401, 403, 406, 411], false],
    ['goes on', [402, 405, 409, 440, 500, 503, 515, null], true],
  ] as const)('a link %s after the codes %j', (_, codes, isLinked) => {
    for (const code of codes) expect([code, leavesLinked(closing(code))]).toEqual([code, isLinked]);
    expect(leavesLinked(closing(401, { conflict: 'device_removed' }))).toBe(false);
    expect(leavesLinked(closing(401, { conflict: 'replaced' }))).toBe(true);
  });

  test('a temporary ban lasts as long as the network says, or an hour', () => {
    const until = now + 7200 * 1000;
    expect(reactionTo(closing(402, { expireSeconds: 7200 }), context)).toEqual({
      reason: 'lost',
      notBefore: until,
      restriction: { reason: 'temporarily_banned', until },
    });
    expect(reactionTo(closing(402), context)).toEqual({
      reason: 'lost',
      notBefore: now + 60 * minuteMs,
      restriction: { reason: 'temporarily_banned', until: null },
    });
  });
});
