import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineWriteKind, Outbox, type WriteKind } from '../../src/outbox/index.ts';
import type { Store } from '../../src/store/index.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

describe.each(storeKinds)('pending writes on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  let clock: ManualClock;
  let broken: Set<string>;
  let note: WriteKind<{ word: string }>;
  beforeEach(async () => {
    store = await openTestStore(kind);
    clock = createManualClock();
    broken = new Set();
    note = defineWriteKind({
      name: 'note',
      payload: z.object({ word: z.string() }),
      async run(trx, { word }) {
        await trx
          .insertInto('meta')
          .values({ name: `note ${word} ${Math.random()}`, value: word })
          .execute();
        if (broken.has(word)) throw new Error('not today');
      },
    });
  });
  afterEach(() => store.dispose());

  const quiet = { error: () => undefined, info: () => undefined };
  const start = (kinds = [note], on: Store = store) => {
    const outbox = new Outbox({ store: on, clock, now: () => clock.now(), log: quiet, kinds });
    outbox.start();
    return outbox;
  };
  const pending = async () =>
    (await store.db.selectFrom('pending_writes').select(['id', 'attempts']).orderBy('id').execute()).map((row) => row);
  const notes = async () =>
    (await store.db.selectFrom('meta').select('value').where('name', 'like', 'note %').execute()).map((row) => row.value);
  const settles = (check: () => Promise<void>) =>
    waitFor(async () => {
      await clock.advanceAsync(1000);
      await check();
    });
  const away = new Error('away');

  it('are done once each, however often the same one is added', async () => {
    const outbox = start();
    for (const word of ['a', 'b', 'a', 'a']) outbox.add(note, { id: word, payload: { word } }, away);
    expect(outbox.recorded()).not.toBeNull();
    await outbox.recorded();
    expect(outbox.recorded()).toBeNull();
    await settles(async () => expect(await pending()).toEqual([]));
    expect((await notes()).sort()).toEqual(['a', 'b']);
    await outbox.stop();
  });

  it('are summed up, whether they are written down yet or not, with the age of the oldest', async () => {
    const outbox = start();
    broken.add('old');
    expect(await outbox.sum()).toEqual({ count: 0, oldestAt: null });
    const since = clock.now();
    outbox.add(note, { id: 'old', payload: { word: 'old' }, afterMs: 60_000 }, away);
    expect(await outbox.sum()).toEqual({ count: 1, oldestAt: since });
    await outbox.recorded();
    clock.advance(5000);
    outbox.add(note, { id: 'new', payload: { word: 'new' }, afterMs: 60_000 }, away);
    expect(await outbox.sum()).toEqual({ count: 2, oldestAt: since });
    await outbox.stop();
  });

  it('wait for each other’s transaction by hundreds, and one that fails keeps none of them back', async () => {
    const outbox = start();
    broken.add('7');
    for (let i = 0; i < 230; i++) outbox.add(note, { id: String(i), payload: { word: String(i) } }, away);
    await settles(async () => expect(await pending()).toMatchObject([{ id: 'note 7' }]));
    expect(await notes()).toHaveLength(229);
    broken.clear();
    await settles(async () => expect(await pending()).toEqual([]));
    expect(new Set(await notes()).size).toBe(230);
    await outbox.stop();
  });

  it('are tried less and less often, and soon again when the clock was set back', async () => {
    broken.add('x');
    const outbox = start();
    outbox.add(note, { id: 'x', payload: { word: 'x' } }, away);
    const attempts = async () => (await pending())[0]?.attempts ?? 0;
    for (let i = 1; i <= 5; i++) await settles(async () => expect(await attempts()).toBeGreaterThanOrEqual(i));
    const before = await attempts();
    await clock.advanceAsync(20_000);
    expect(await attempts()).toBe(before);
    clock.setCalendar(-24 * 60 * 60_000);
    broken.clear();
    await settles(async () => expect(await pending()).toEqual([]));
    expect(await notes()).toEqual(['x']);
    await outbox.stop();
  });

  it('are done by the next process when this one ends, and stay when nobody knows their kind', async () => {
    broken.add('x');
    const first = start();
    first.add(note, { id: 'x', payload: { word: 'x' }, afterMs: 20_000 }, away);
    await first.stop();
    const stranger = start([]);
    await clock.advanceAsync(30_000);
    await settles(async () => expect(await pending()).toMatchObject([{ id: 'note x', attempts: expect.toSatisfy((n: number) => n > 0) }]));
    await stranger.stop();
    broken.clear();
    const second = start();
    await settles(async () => expect(await pending()).toEqual([]));
    expect(await notes()).toEqual(['x']);
    await second.stop();
  });

  it('are done within a minute by a server that was there before, when the one that has left them is gone', async () => {
    const [gone, other] = [start(), start()];
    // Both have looked once and found nothing.
    await waitFor(async () => {
      await clock.advanceAsync(0);
      expect(clock.pendingOf(60_000)).toBe(2);
    });
    gone.add(note, { id: 'x', payload: { word: 'x' }, afterMs: 20_000 }, away);
    await gone.recorded();
    await gone.stop();
    await clock.advanceAsync(60_000);
    await waitFor(async () => expect(await notes()).toEqual(['x']));
    expect(await pending()).toEqual([]);
    await other.stop();
  });

  it('are held while the store refuses them, tell so to whoever asks, and are written when it takes them again', async () => {
    let refusing = true;
    const moody: Store = {
      ...store,
      transaction: (work) => (refusing ? Promise.reject(new Error('the store is away')) : store.transaction(work)),
    };
    const outbox = start([note], moody);
    outbox.add(note, { id: 'a', payload: { word: 'a' } }, away);
    await expect(outbox.recorded()).rejects.toThrow('the store is away');
    await clock.advanceAsync(60_000);
    expect(await notes()).toEqual([]);
    refusing = false;
    await settles(async () => expect(await notes()).toEqual(['a']));
    expect(outbox.recorded()).toBeNull();
    await outbox.stop();
  });

  it('are stored for whoever asks, also when they were added while others were being stored', async () => {
    const begun = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    const patient: Store = {
      ...store,
      async transaction(work) {
        begun.resolve();
        await slow.promise;
        return store.transaction(work);
      },
    };
    const outbox = start([note], patient);
    outbox.add(note, { id: 'a', payload: { word: 'a' }, afterMs: 60_000 }, away);
    const first = outbox.recorded();
    await begun.promise;
    outbox.add(note, { id: 'b', payload: { word: 'b' }, afterMs: 60_000 }, away);
    const second = outbox.recorded();
    slow.resolve();
    await first;
    await second;
    expect(outbox.recorded()).toBeNull();
    expect(await pending()).toMatchObject([{ id: 'note a' }, { id: 'note b' }]);
    await outbox.stop();
  });

  it('are not tried before their time', async () => {
    const outbox = start();
    outbox.add(note, { id: 'a', payload: { word: 'a' }, afterMs: 20_000 }, away);
    await outbox.recorded();
    for (let i = 0; i < 19; i++) await clock.advanceAsync(1000);
    expect(await notes()).toEqual([]);
    await settles(async () => expect(await notes()).toEqual(['a']));
    await outbox.stop();
  });
});
