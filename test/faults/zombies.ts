import { hostname } from 'node:os';
import type { Store } from '../../src/store/index.ts';
import type { Nodes } from './nodes.ts';

/** Within this time after it was halted, a server still counts as alive, and what it had begun may have reached the store. */
const aliveMs = 1000;

/** Halts servers for longer than their leases hold, and tells what they did afterwards under the right that they had. */
export class Zombies {
  readonly #store: Store;
  readonly #halted: { readonly nodeId: string; readonly at: number }[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  async halt(nodes: Nodes, place: number, ms: number): Promise<void> {
    const name = `${hostname()}:${nodes.pid(place)}`;
    const { id: nodeId } = await this.#store.db.selectFrom('nodes').select('id').where('name', '=', name).executeTakeFirstOrThrow();
    this.#halted.push({ nodeId, at: Date.now() });
    await nodes.halt(place, ms);
  }

  /** Claims that were made, and numbers and nodes that are held, under an id whose time was over. */
  async misdeeds(): Promise<string[]> {
    const { db } = this.#store;
    const found: string[] = [];
    for (const { nodeId, at } of this.#halted) {
      const claims = db.selectFrom('claims').select('key').where('node', '=', nodeId);
      const late = await claims.where('created_at', '>', at + aliveMs).execute();
      found.push(...late.map(({ key }) => `${key} was claimed by a halted server under its old id`));
      const held = await db.selectFrom('leases').select('instance_id').where('node_id', '=', nodeId).execute();
      found.push(...held.map(({ instance_id }) => `${instance_id} is owned by the old id of a halted server`));
    }
    return found;
  }
}
