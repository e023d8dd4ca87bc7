import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryRelease } from '../../src/core/memory-release.ts';
import { waitFor } from '../support/wait-for.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Something that nobody uses any more, which a collection of young memory alone would leave: the result tells whether it is still there. */
function garbage(): WeakRef<object> {
  return new WeakRef({ large: Array.from({ length: 1_000 }, () => ({})) });
}

/** Lets the collection, which has its own thread of messages, come to its end. */
async function settled(isOver: () => boolean): Promise<void> {
  vi.useRealTimers();
  await waitFor(() => expect(isOver()).toBe(true));
}

test('memory is given back once nothing has been left behind for five seconds', async () => {
  const failed = vi.fn();
  const release = new MemoryRelease(failed);
  release.soon();
  vi.advanceTimersByTime(4_000);
  release.soon();
  vi.advanceTimersByTime(5_000);
  const left = garbage();
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(0);
  await settled(() => left.deref() === undefined);
  expect(failed).not.toHaveBeenCalled();
});

test('what is too little for the pause is added up', () => {
  const release = new MemoryRelease(vi.fn(), 3);
  for (const waiting of [0, 0, 1]) {
    release.soon();
    expect(vi.getTimerCount()).toBe(waiting);
    vi.advanceTimersByTime(4_000);
  }
  vi.advanceTimersByTime(1_000);
  release.soon();
  expect(vi.getTimerCount()).toBe(0);
});
