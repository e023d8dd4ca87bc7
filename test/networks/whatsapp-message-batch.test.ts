import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MessageBatch } from '../../src/networks/whatsapp/thread-messages.ts';

describe('a batch of messages between threads', () => {
  /** Posts by structured clone, as a port does. */
  const collected = () => {
    const posted: unknown[][] = [];
    const unpostable: unknown[] = [];
    const batch = new MessageBatch<unknown>(
      (messages, transfer) => void posted.push(structuredClone([...messages], { transfer })),
      (message) => void unpostable.push(message),
    );
    return { batch, posted, unpostable };
  };

  it('takes what is posted in one turn along, in order, and what comes later with the next', async () => {
    const { batch, posted } = collected();
    batch.add(1);
    await Promise.resolve();
    batch.add(2);
    await turn();
    batch.add(3);
    batch.flush();
    expect(posted).toEqual([[1, 2], [3]]);
    await turn();
    expect(posted).toHaveLength(2);
  });

  it('hands memory over instead of copying it', async () => {
    const { batch, posted } = collected();
    const bytes = Uint8Array.of(1, 2, 3);
    batch.add({ bytes }, [bytes.buffer]);
    await turn();
    expect(posted).toEqual([[{ bytes: Uint8Array.of(1, 2, 3) }]]);
    expect(bytes).toHaveLength(0);
  });

  it('hands over the others when one cannot be, and reports that one', async () => {
    const { batch, posted, unpostable } = collected();
    const broken = { run: () => undefined };
    for (const message of [1, broken, 2]) batch.add(message);
    await turn();
    expect(posted).toEqual([[1], [2]]);
    expect(unpostable).toEqual([broken]);
  });
});
