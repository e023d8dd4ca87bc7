import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';
import { waitFor } from '../support/wait-for.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

let network: ScriptedNetwork;
let gateway: TestGateway;
let customer: Customer;
beforeEach(async () => {
  network = new ScriptedNetwork();
  gateway = await startGateway('sqlite', { overrides: { networks: () => [network] } });
  customer = await gateway.customer();
});
afterEach(() => gateway.stop());

/** A number that is linked, loses its connection, comes back, and is deleted; what the gateway held of it. */
async function comeAndGo(place: number): Promise<WeakRef<object>[]> {
  const id: string = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
  await network.link(id).pairs(`4917100${String(place).padStart(5, '0')}`);
  await customer.reaches(id, 'open');
  const session = gateway.session(customer.accountId, id);
  if (session === undefined) throw new Error('no such instance');
  await network.link(id).closes('restart');
  await waitFor(() => expect(network.linksOf(id)).toHaveLength(2));
  expect((await customer.call('DELETE', `/v1/instances/${id}`)).status).toBe(200);
  const held = [session, ...network.linksOf(id), ...network.linksOf(id).map(({ context }) => context)].map((object) => new WeakRef(object));
  network.links.length = 0;
  return held;
}

/** Timers and sockets of this process, and what listens to its events. */
function resources(): number {
  const held = process.getActiveResourcesInfo().filter((name) => ['Timeout', 'Immediate', 'TCPSocketWrap'].includes(name));
  return held.length + process.eventNames().reduce((sum, event) => sum + process.listenerCount(event), 0);
}

it('of numbers that were linked and deleted nothing is left: no object, no timer, no socket, no listener', async () => {
  await comeAndGo(0);
  const before = resources();
  const held: WeakRef<object>[] = [];
  for (let place = 1; place <= 20; place++) held.push(...(await comeAndGo(place)));
  await waitFor(async () => {
    await setImmediate();
    collectGarbage();
    // What the runtime itself keeps at hand is of the last one or two.
    expect(held.filter((object) => object.deref() !== undefined).length).toBeLessThan(10);
    expect(resources()).toBeLessThan(before + 5);
  });
});
