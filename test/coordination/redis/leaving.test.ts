import pino from 'pino';
import { expect, inject, it } from 'vitest';
import { z } from 'zod';
import { openCluster } from '../../../src/cluster.ts';
import { handler, type Method } from '../../../src/coordination/index.ts';
import { newId, systemClock } from '../../../src/core/index.ts';

const greet: Method<null, string> = { name: 'greet', payload: z.null(), answer: z.string() };

it('a process that has left is found by nobody, also under an id that it gets afterwards', async () => {
  const options = { store: { leases: null }, installation: { id: newId() }, clock: systemClock, log: pino({ level: 'silent' }) };
  const cluster = await openCluster(
    { redisUrl: inject('redis') } as Parameters<typeof openCluster>[0],
    options as unknown as Parameters<typeof openCluster>[1],
  );
  try {
    const ask = (node: string) => cluster.calls.call(node, greet, null, { deadlineMs: 30_000 });
    const handlers = [handler(greet, async () => 'hello')];
    await cluster.joined('first', handlers);
    expect(await ask('first')).toBe('hello');
    const joining = cluster.joined('second', handlers);
    await cluster.leaveCalls();
    await joining;
    for (const node of ['first', 'second']) await expect(ask(node)).rejects.toMatchObject({ reason: 'nobody_there' });
    await cluster.joined('third', handlers);
    await expect(ask('third')).rejects.toMatchObject({ reason: 'nobody_there' });
    expect(cluster.nodeId()).toBeNull();
  } finally {
    await cluster.close();
  }
});
