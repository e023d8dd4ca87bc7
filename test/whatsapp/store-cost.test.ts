import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FromWorker } from '../../src/networks/whatsapp/protocol.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const sends = 5;

// Where a send waits longest: for the other thread and for the disk. These figures may only fall.
describe('what is asked of the store', () => {
  let world: WhatsAppWorld;
  const asked = { requests: 0, read: 0, write: 0, syncs: 0, answers: 0 };
  const started = (worker: Worker) => {
    worker.on('message', (messages: readonly FromWorker[]) => {
      for (const message of messages) {
        if (message.type === 'answer') asked.answers++;
        if (message.type !== 'store') continue;
        asked.requests++;
        if (message.with.type === 'read' || message.with.type === 'write') asked[message.with.type]++;
      }
    });
  };
  beforeAll(async () => {
    const { fdatasync } = fs;
    vi.spyOn(fs, 'fdatasync').mockImplementation((descriptor, done) => {
      asked.syncs++;
      fdatasync(descriptor, done);
    });
    syncBuiltinESMExports();
    process.on('worker', started);
    world = await startWhatsAppWorld({ env: { DATABASE_DURABILITY: 'full' } });
  });
  afterAll(async () => {
    process.off('worker', started);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    await world?.close();
  });

  it('by a login that changes nothing: two reads', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => world.linkedNumber(world.somebody().number)));
    // What the phone hands over after the link has come, with the first of its SignalSessions, and is read.
    await waitFor(async () => {
      const rows = await world.gateway.app.store.db.selectFrom('credentials').select(['instance_id', 'name']).execute();
      expect(new Set(rows.flatMap(({ instance_id: id, name }) => (name.startsWith('session:') ? [id] : [])))).toEqual(new Set(ids));
      expect(rows.filter(({ name }) => name.startsWith('waiting-history:'))).toEqual([]);
    });
    await world.gateway.restart({ whileDown: async () => void Object.assign(asked, { requests: 0, read: 0, answers: 0 }) });
    for (const id of ids) await world.customer.reaches(id, 'open');
    // An answer of the network comes after all that belongs to the login.
    for (const id of ids) expect(await world.get(id, 'status')).toMatchObject({ connected: true });
    // The worker has answered those questions only.
    expect(asked).toMatchObject({ requests: 2 * ids.length, read: 2 * ids.length, answers: ids.length });
  });

  interface Cost {
    readonly reads: number;
    readonly writes: number;
    readonly syncs: number;
  }
  const isAtMost = (most: Cost) => (cost: Cost) => cost.reads <= most.reads && cost.writes <= most.writes && cost.syncs <= most.syncs;

  type Friend = ReturnType<WhatsAppWorld['somebody']>;

  /** What a text asks for until it is answered. Resolves when what nothing waits for is stored too, which would be counted with the next one. */
  async function costOf(id: string, friend: Friend): Promise<Cost> {
    const before = { ...asked };
    expect((await world.text(id, friend.number)).body).toMatchObject({ success: true });
    const cost = { reads: asked.read - before.read, writes: asked.write - before.write, syncs: asked.syncs - before.syncs };
    await waitFor(async () => {
      const rows = await world.gateway.app.store.db.selectFrom('credentials').select('name').where('instance_id', '=', id).execute();
      expect(rows.map(({ name }) => name)).toContain(`tctoken:${friend.lid}@lid`);
    });
    return cost;
  }

  /** The median of what a text to each asks for: one during which the machine pauses may be stored in parts. */
  async function usualCost(id: string, friends: readonly Friend[]): Promise<Cost> {
    const costs: Cost[] = [];
    for (const friend of friends) costs.push(await costOf(id, friend));
    const usual = (of: keyof Cost) => costs.map((cost) => cost[of]).toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? Number.NaN;
    return { reads: usual('reads'), writes: usual('writes'), syncs: usual('syncs') };
  }

  it('by a send to somebody new and to somebody known', async () => {
    const id = await world.linkedNumber(world.somebody().number);
    // The first one also asks for what is the number's own.
    await costOf(id, world.somebody());
    const friends = Array.from({ length: sends }, () => world.somebody());
    const first = await usualCost(id, friends);
    const next = await usualCost(id, friends);
    expect(first).toSatisfy(isAtMost({ reads: 0, writes: 1, syncs: 2 }));
    expect(next).toSatisfy(isAtMost({ reads: 0, writes: 1, syncs: 2 }));
  });
});
