import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Bus, createBus, TextTooLarge, type Topic } from '../../../src/coordination/index.ts';
import { createToldLog } from '../told-log.ts';
import { waitFor } from '../wait-for.ts';
import type { TestNodes, TestWire } from './nodes.ts';

const events: Topic<{ number: number }> = { name: 'events', payload: z.object({ number: z.number() }) };
const others: Topic<string> = { name: 'others', payload: z.string() };

/** What the bus does, over every kind of wire. */
export function describeBus(form: string, open: () => Promise<TestNodes>): void {
  describe(`the bus ${form}`, () => {
    let nodes: TestNodes;
    let told: ReturnType<typeof createToldLog>;
    const buses: Bus[] = [];

    async function node() {
      const way = await nodes.attach();
      const bus = createBus({ wire: way.wire, log: told.log });
      buses.push(bus);
      return { ...way, bus };
    }

    /** Listens on a node, and keeps what it hears. */
    async function listen(to: { bus: Bus }) {
      const heard: (number | 'gap')[] = [];
      const stop = await to.bus.subscribe(events, { hear: ({ number }) => heard.push(number), gap: () => heard.push('gap') });
      return { heard, stop };
    }

    const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

    let a: TestWire & { bus: Bus };
    let b: TestWire & { bus: Bus };
    beforeEach(async () => {
      nodes = await open();
      told = createToldLog();
      a = await node();
      b = await node();
    });
    afterEach(async () => {
      await Promise.all(buses.splice(0).map((bus) => bus.close()));
      await nodes.dispose();
    });

    it('tells every listener of every node once, in order; those of the own node at once', async () => {
      const listeners = await Promise.all([a, a, b, await node()].map(listen));
      for (const number of numbers(100)) a.bus.publish(events, { number });
      expect(listeners[0]?.heard).toEqual(numbers(100));
      b.bus.publish(others, 'of no interest here');
      for (const { heard } of listeners) await waitFor(() => expect(heard).toEqual(numbers(100)));
    });

    it('tells a listener of a gap when the own way was cut, and goes on', async () => {
      const { heard } = await listen(b);
      await b.cut();
      a.bus.publish(events, { number: 1 });
      await b.mend();
      await waitFor(() => expect(heard).toEqual(['gap']));
      a.bus.publish(events, { number: 2 });
      await waitFor(() => expect(heard).toEqual(['gap', 2]));
    });

    it("tells others of a gap when the teller's way was cut; the own listeners miss nothing", async () => {
      const own = await listen(a);
      const other = await listen(b);
      const elsewhere = vi.fn();
      await b.bus.subscribe(others, { hear: elsewhere, gap: elsewhere });
      await a.cut();
      a.bus.publish(events, { number: 1 });
      expect(own.heard).toEqual([1]);
      await a.mend();
      a.bus.publish(events, { number: 2 });
      await waitFor(() => expect(other.heard).toContain(2));
      await waitFor(() => expect(other.heard).toContain('gap'));
      expect(other.heard).not.toContain(1);
      // Its own connection was away as well.
      expect(own.heard.toSorted()).toEqual([1, 2, 'gap']);
      expect(elsewhere).not.toHaveBeenCalled();
    });

    it('listens to what is subscribed to while the way is cut, as soon as it is back', async () => {
      await b.cut();
      const { heard } = await listen(b);
      await b.mend();
      a.bus.publish(events, { number: 1 });
      await waitFor(() => expect(heard).toEqual(['gap', 1]));
    });

    it('reports a listener that throws, and tells the others', async () => {
      await b.bus.subscribe(events, {
        hear: () => {
          throw new Error('a mistake of the listener');
        },
        gap: () => undefined,
      });
      const { heard } = await listen(b);
      a.bus.publish(events, { number: 1 });
      await waitFor(() => expect(heard).toEqual([1]));
      expect(told.lines).toContainEqual(expect.objectContaining({ topic: 'events', msg: 'a listener of the bus failed' }));
    });

    it('does not pass on what is not as agreed', async () => {
      const { heard } = await listen(b);
      a.bus.publish({ name: 'events', payload: z.string() }, 'of another release');
      await a.wire.publish('topic:events', 'no JSON');
      a.bus.publish(events, { number: 1 });
      await waitFor(() => expect(heard).toEqual([1]));
      expect(told.lines.map(({ msg }) => msg)).toEqual(
        expect.arrayContaining(['a listener of the bus failed', 'a message from another node has an unexpected form']),
      );
    });

    it('refuses what is too large', async () => {
      expect(() => a.bus.publish(others, 'x'.repeat(1024 * 1024))).toThrow(TextTooLarge);
    });

    it('tells nobody who has ceased to listen', async () => {
      const first = await listen(b);
      const second = await listen(b);
      await first.stop();
      a.bus.publish(events, { number: 1 });
      await waitFor(() => expect(second.heard).toEqual([1]));
      await second.stop();
      const third = await listen(b);
      a.bus.publish(events, { number: 2 });
      await waitFor(() => expect(third.heard).toEqual([2]));
      expect([first.heard, second.heard]).toEqual([[], [1]]);
    });
  });
}
