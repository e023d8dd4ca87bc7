import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type CallError, type Calls, handler, openCalls, type Wire } from '../../../src/coordination/index.ts';
import { GatewayError } from '../../../src/core/index.ts';
import { createManualClock, type ManualClock } from '../manual-clock.ts';
import { createToldLog } from '../told-log.ts';
import { waitFor } from '../wait-for.ts';
import type { TestNodes, TestWire } from './nodes.ts';

const add = { name: 'add', payload: z.object({ a: z.number(), b: z.number() }), answer: z.number() };
const echo = { name: 'echo', payload: z.string(), answer: z.string() };
const fail = { name: 'fail', payload: z.null(), answer: z.null() };

const deadlineMs = 5000;

/** A handler of `echo` that answers when it is told to. */
function heldEcho() {
  const asked: { readonly text: string; readonly answer: () => void }[] = [];
  const held = handler(echo, (text) => new Promise((resolve) => asked.push({ text, answer: () => resolve(text) })));
  const heard = (count: number) => waitFor(() => expect(asked).toHaveLength(count));
  return { held, asked, heard };
}

/** Counts what is heard over a wire, and loses what is said on it when told to. */
function watched(wire: Wire) {
  const state = { heard: 0, lose: false };
  const own: Wire = {
    get up() {
      return wire.up;
    },
    onChange: (listener) => wire.onChange(listener),
    publish: async (channel, text) => (state.lose ? 1 : wire.publish(channel, text)),
    listen: (channel, heard) =>
      wire.listen(channel, (text) => {
        heard(text);
        state.heard++;
      }),
  };
  return { wire: own, state };
}

const failure = (reason: string) => expect.objectContaining({ name: 'CallError', reason });

/** What calls between nodes do, over every kind of wire. */
export function describeCalls(form: string, open: () => Promise<TestNodes>): void {
  describe(`calls ${form}`, () => {
    let nodes: TestNodes;
    let clock: ManualClock;
    let told: ReturnType<typeof createToldLog>;
    let here: Calls;
    let there: Calls;
    let wireHere: TestWire;
    let wireThere: TestWire;
    const opened: Calls[] = [];

    async function openOver(wire: TestWire, bounds: Parameters<typeof openCalls>[0]['bounds'] = {}, own = clock): Promise<Calls> {
      const calls = await openCalls({ wire: wire.wire, clock: own, log: told.log, bounds });
      opened.push(calls);
      return calls;
    }

    beforeEach(async () => {
      nodes = await open();
      clock = createManualClock();
      told = createToldLog();
      wireHere = await nodes.attach();
      wireThere = await nodes.attach();
      here = await openOver(wireHere);
      there = await openOver(wireThere);
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((calls) => calls.close()));
      await nodes.dispose();
      // No timer is left behind.
      expect(clock.pending).toBe(0);
    });

    it('bring the answer of the other node, which knows on whose behalf and for how long', async () => {
      const contexts: unknown[] = [];
      await there.serve('b', [
        handler(add, async ({ a, b }, context) => {
          contexts.push(context);
          return a + b;
        }),
      ]);
      expect(await here.call('b', add, { a: 2, b: 3 }, { deadlineMs, requestId: 'r1' })).toBe(5);
      expect(await there.call('b', add, { a: 4, b: 3 }, { deadlineMs: 100 })).toBe(7);
      expect(contexts).toEqual([
        { requestId: 'r1', deadlineMs },
        { requestId: null, deadlineMs: 100 },
      ]);
    });

    it('answer each caller with its own answer, many at once', async () => {
      await there.serve('b', [handler(add, async ({ a, b }) => a + b)]);
      const answers = Array.from({ length: 500 }, (_, a) => here.call('b', add, { a, b: a }, { deadlineMs }));
      expect(await Promise.all(answers)).toEqual(Array.from({ length: 500 }, (_, a) => 2 * a));
    });

    it('throw here the GatewayError that was thrown there', async () => {
      await there.serve('b', [
        handler(fail, async () => {
          throw new GatewayError('instance_not_connected', 'It is not linked.', { reason: 'x' });
        }),
      ]);
      const call = here.call('b', fail, null, { deadlineMs });
      await expect(call).rejects.toBeInstanceOf(GatewayError);
      await expect(call).rejects.toMatchObject({ code: 'instance_not_connected', message: 'It is not linked.', details: { reason: 'x' } });
    });

    it('say nothing of other errors, which are in the log of the node where they were thrown', async () => {
      await there.serve('b', [
        handler(fail, async () => {
          throw new Error('a secret of the database');
        }),
      ]);
      const error = await here.call('b', fail, null, { deadlineMs, requestId: 'r2' }).catch((thrown: unknown) => thrown);
      expect(error).toEqual(failure('failed'));
      expect(String(error)).not.toContain('secret');
      expect(told.lines).toContainEqual(
        expect.objectContaining({ method: 'fail', requestId: 'r2', err: expect.objectContaining({ message: 'a secret of the database' }) }),
      );
    });

    it('fail at once when nobody answers to the id, and again when nobody does any longer', async () => {
      await expect(here.call('b', echo, 'x', { deadlineMs })).rejects.toEqual(failure('nobody_there'));
      const { held, asked, heard } = heldEcho();
      const served = await there.serve('b', [held]);
      const last = here.call('b', echo, 'last', { deadlineMs });
      await heard(1);
      const closed = served.close();
      await waitFor(() => expect(here.call('b', echo, 'late', { deadlineMs })).rejects.toEqual(failure('nobody_there')));
      asked[0]?.answer();
      expect(await last).toBe('last');
      await closed;
    });

    it('end with the deadline; what comes later is dropped', async () => {
      const { held, asked, heard } = heldEcho();
      await there.serve('b', [held]);
      const call = here.call('b', echo, 'x', { deadlineMs });
      await heard(1);
      clock.advance(deadlineMs);
      const error = await call.catch((thrown: unknown) => thrown);
      expect(error).toEqual(failure('timeout'));
      expect((error as CallError).done).toBe('perhaps');
      asked[0]?.answer();
      const next = here.call('b', echo, 'y', { deadlineMs });
      await heard(2);
      asked[1]?.answer();
      expect(await next).toBe('y');
    });

    it('end when the caller leaves; the callee finishes', async () => {
      const { held, asked, heard } = heldEcho();
      await there.serve('b', [held]);
      const left = new AbortController();
      const call = here.call('b', echo, 'x', { deadlineMs, signal: left.signal });
      await heard(1);
      left.abort(new Error('the client has left'));
      await expect(call).rejects.toThrow('the client has left');
      asked[0]?.answer();
      await expect(here.call('b', echo, 'x', { deadlineMs, signal: left.signal })).rejects.toThrow('the client has left');
      expect(asked).toHaveLength(1);
    });

    it('send no payload over the limit, and no answer', async () => {
      const asked: number[] = [];
      await there.serve('b', [
        handler(echo, async (text) => {
          asked.push(text.length);
          return text.repeat(2);
        }),
      ]);
      const huge = 'ä'.repeat(512 * 1024);
      await expect(here.call('b', echo, huge, { deadlineMs })).rejects.toEqual(failure('too_large'));
      expect(asked).toEqual([]);
      await expect(here.call('b', echo, huge.slice(0, 400 * 1024), { deadlineMs })).rejects.toEqual(failure('failed'));
    });

    it('are refused at once beyond the bounds, by either side', async () => {
      const { held, asked, heard } = heldEcho();
      await there.serve('b', [held]);
      await there.serve('c', [held]);
      const bounded = await openOver(await nodes.attach(), { outgoing: 3, outgoingToOne: 2 });
      const first = [bounded.call('b', echo, '1', { deadlineMs }), bounded.call('b', echo, '2', { deadlineMs })];
      await expect(bounded.call('b', echo, '3', { deadlineMs })).rejects.toEqual(failure('busy'));
      first.push(bounded.call('c', echo, '4', { deadlineMs }));
      await expect(bounded.call('c', echo, '5', { deadlineMs })).rejects.toEqual(failure('busy'));
      await heard(3);
      for (const { answer } of asked) answer();
      expect(await Promise.all(first)).toEqual(['1', '2', '4']);

      const narrow = await openOver(await nodes.attach(), { incoming: 1 });
      await narrow.serve('d', [held]);
      const only = here.call('d', echo, '6', { deadlineMs });
      await heard(4);
      await expect(here.call('d', echo, '7', { deadlineMs })).rejects.toEqual(failure('busy'));
      asked[3]?.answer();
      expect(await only).toBe('6');
    });

    it('are refused where they are not understood: another method, another payload, another answer', async () => {
      await there.serve('b', [
        handler({ ...add, payload: z.object({ a: z.string() }) }, async () => 1),
        handler(echo, async (text) => text),
      ]);
      await expect(here.call('b', fail, null, { deadlineMs })).rejects.toEqual(failure('not_understood'));
      await expect(here.call('b', add, { a: 1, b: 2 }, { deadlineMs })).rejects.toEqual(failure('not_understood'));
      await expect(here.call('b', { ...echo, answer: z.number() }, 'x', { deadlineMs })).rejects.toEqual(failure('failed'));
    });

    it('are done once when they arrive twice', async () => {
      const { held, asked, heard } = heldEcho();
      await there.serve('b', [held]);
      const repeats = await nodes.attach();
      const again: Promise<unknown>[] = [];
      const stop = await repeats.wire.listen('node:b', (text) => {
        if (again.length === 0) again.push(repeats.wire.publish('node:b', text), repeats.wire.publish('node:b', '{"kind":"other"}'));
      });
      const call = here.call('b', echo, 'x', { deadlineMs });
      await heard(1);
      await waitFor(() =>
        expect(told.lines).toContainEqual(expect.objectContaining({ msg: 'a call from another node has an unexpected form' })),
      );
      await Promise.all(again);
      expect(asked).toHaveLength(1);
      asked[0]?.answer();
      expect(await call).toBe('x');
      await stop();
    });

    it('find out at once that the own way is down', async () => {
      await there.serve('b', [handler(echo, async (text) => text)]);
      await wireHere.cut();
      const error = await here.call('b', echo, 'x', { deadlineMs }).catch((thrown: unknown) => thrown);
      expect(error).toEqual(failure('unreachable'));
      expect((error as CallError).done).toBe('no');
      await wireHere.mend();
      expect(await here.call('b', echo, 'x', { deadlineMs })).toBe('x');
    });

    it.each(['caller', 'callee'])('bring their answer although the way of the %s is cut for a while', async (whose) => {
      const { held, asked, heard } = heldEcho();
      await there.serve('b', [held]);
      const way = whose === 'caller' ? wireHere : wireThere;
      const call = here.call('b', echo, 'x', { deadlineMs });
      await heard(1);
      await way.cut();
      asked[0]?.answer();
      await way.mend();
      const answered = vi.fn();
      void call.then(answered);
      // Short of the deadline.
      for (let waited = 0; waited < deadlineMs - 500; waited += 250) {
        await clock.advanceAsync(250);
        if (answered.mock.calls.length > 0) break;
        await wireThere.wire.publish('nobody', '').catch(() => undefined);
      }
      expect(await call).toBe('x');
    });

    it('of all callers have an unknown outcome when the callee crashes in between, and none after that', async () => {
      const { held, asked, heard } = heldEcho();
      await there.serve('b', [held]);
      const another = await openOver(await nodes.attach());
      const calls = [here.call('b', echo, '1', { deadlineMs }), another.call('b', echo, '2', { deadlineMs })];
      await heard(2);
      await wireThere.cut();
      await waitFor(() => expect(here.call('b', echo, '3', { deadlineMs })).rejects.toEqual(failure('nobody_there')));
      await expect(another.call('b', echo, '4', { deadlineMs })).rejects.toEqual(failure('nobody_there'));
      clock.advance(deadlineMs);
      for (const call of calls) await expect(call).rejects.toEqual(failure('timeout'));
      for (const { answer } of asked) answer();
    });

    it('whose answer is lost end at the next check, long before their deadline', async () => {
      const way = watched(wireThere.wire);
      const losing = await openOver({ ...wireThere, wire: way.wire });
      const { held, asked, heard } = heldEcho();
      await losing.serve('l', [held]);
      const call = here.call('l', echo, 'x', { deadlineMs: 170_000 });
      await heard(1);
      way.state.lose = true;
      asked[0]?.answer();
      await new Promise(setImmediate);
      way.state.lose = false;
      const ended = expect(call).rejects.toEqual(failure('lost'));
      clock.advance(2000);
      await ended;
    });

    it('take as long as their node is working on them', async () => {
      const way = watched(wireHere.wire);
      const caller = await openOver({ ...wireHere, wire: way.wire });
      const { held, asked, heard } = heldEcho();
      await there.serve('b', [held]);
      const call = caller.call('b', echo, 'x', { deadlineMs: 170_000 });
      await heard(1);
      for (let checks = 1; checks <= 8; checks++) {
        clock.advance(2000);
        await waitFor(() => expect(way.state.heard).toBe(checks));
      }
      asked[0]?.answer();
      expect(await call).toBe('x');
    });

    it('are given up when their node gives no sign of life for ten seconds', async () => {
      const { held, asked, heard } = heldEcho();
      await there.serve('b', [held]);
      const call = here.call('b', echo, 'x', { deadlineMs: 170_000 });
      const given = vi.fn();
      const ended = call.catch(given);
      await heard(1);
      await wireThere.cut();
      await clock.advanceAsync(9_999);
      expect(given).not.toHaveBeenCalled();
      await clock.advanceAsync(1);
      await ended;
      expect(given).toHaveBeenCalledWith(failure('lost'));
      asked[0]?.answer();
    });

    it('are finished by a node that stops, which takes no others meanwhile', async () => {
      const way = watched(wireHere.wire);
      const caller = await openOver({ ...wireHere, wire: way.wire });
      const { held, asked, heard } = heldEcho();
      const served = await there.serve('b', [held]);
      const call = caller.call('b', echo, 'x', { deadlineMs: 170_000 });
      await heard(1);
      const closing = served.close();
      await expect(here.call('b', echo, 'y', { deadlineMs })).rejects.toEqual(failure('nobody_there'));
      for (let checks = 1; checks <= 8; checks++) {
        clock.advance(2000);
        await waitFor(() => expect(way.state.heard).toBe(checks));
      }
      asked[0]?.answer();
      expect(await call).toBe('x');
      await closing;
    });

    it('hold up the stop of a node no longer than somebody waits for them', async () => {
      const { held, heard } = heldEcho();
      const served = await there.serve('b', [held]);
      const ended = expect(here.call('b', echo, 'never answered', { deadlineMs })).rejects.toEqual(failure('timeout'));
      await heard(1);
      const closed = vi.fn();
      const closing = served.close().then(closed);
      await clock.advanceAsync(deadlineMs - 1);
      expect(closed).not.toHaveBeenCalled();
      // The stop begins to wait when nothing more can arrive, which over Redis is a moment later.
      await waitFor(async () => {
        await clock.advanceAsync(deadlineMs);
        expect(closed).toHaveBeenCalled();
      });
      await Promise.all([closing, ended]);
    });

    it('made while the node was halted are refused afterwards, and those made later are answered', async () => {
      let halted = 0;
      const own: ManualClock = { ...clock, monotonic: () => clock.monotonic() + halted };
      const zombie = await openOver(await nodes.attach(), {}, own);
      const { held, asked, heard } = heldEcho();
      await zombie.serve('z', [held]);
      halted = 24_000;
      await expect(here.call('z', echo, 'stale', { deadlineMs })).rejects.toEqual(failure('busy'));
      // Heard after the node's own mark.
      const call = here.call('z', echo, 'fresh', { deadlineMs }).catch(() => here.call('z', echo, 'fresh', { deadlineMs }));
      await heard(1);
      expect(asked[0]?.text).toBe('fresh');
      asked[0]?.answer();
      expect(await call).toBe('fresh');
    });

    it('end when their node stops', async () => {
      const { held, asked, heard } = heldEcho();
      await there.serve('b', [held]);
      const call = here.call('b', echo, 'x', { deadlineMs });
      await heard(1);
      const ended = expect(call).rejects.toEqual(failure('closed'));
      await here.close();
      await ended;
      await expect(here.call('b', echo, 'x', { deadlineMs })).rejects.toEqual(failure('closed'));
      asked[0]?.answer();
    });
  });
}
