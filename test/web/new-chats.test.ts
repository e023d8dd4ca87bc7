import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Customer } from '../support/gateway.ts';
import { memberOf, type SignedIn } from '../support/portal.ts';
import { type Portal, startPortal } from '../support/portal-browser.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';

const dayMs = 24 * 60 * 60 * 1000;
const network = new ScriptedNetwork();
let portal: Portal;
let customer: Customer;
let owner: SignedIn;
beforeAll(async () => {
  portal = await startPortal({ overrides: { networks: () => [network] } });
  customer = await portal.gateway.customer();
  owner = await memberOf(portal.gateway, customer.accountId, 'owner');
});
afterAll(() => portal?.stop());

async function linked(label: string, phone: string): Promise<string> {
  const { instance_id } = (await customer.call('POST', '/v1/instances', { label })).body.data;
  await network.link(instance_id).pairs(phone);
  await customer.reaches(instance_id, 'open');
  return instance_id;
}

it('the page of the numbers says in plain words what a number may not do, and how many new chats it has left', async () => {
  const cycleEndsAt = Date.now() + dayMs;
  network.link(await linked('Front desk', '491710001000')).countsNewChats({ used: 12, quota: 50, cycleEndsAt });
  const capped = network.link(await linked('Market stall', '491710001001'));
  capped.countsNewChats({ used: 50, quota: 50, cycleEndsAt });
  capped.restricts({ reason: 'new_chats_capped', until: cycleEndsAt });
  network.link(await linked('Delivery van', '491710001002')).restricts({ reason: 'reach_out_blocked', until: cycleEndsAt });

  const visitor = await portal.visitor({ as: owner });
  await visitor.open('/numbers');
  for (const width of [1280, 390]) {
    await visitor.page.setViewportSize({ width, height: 780 });
    const row = (name: string) => visitor.page.getByRole('listitem', { name, exact: true });
    await row('Front desk')
      .getByText(/^12 of 50 new chats used, counted until /)
      .waitFor();
    await row('Market stall')
      .getByText(/has started as many new chats as WhatsApp allows until .*Existing chats still work\./)
      .waitFor();
    await row('Delivery van')
      .getByText(/does not let this number start new chats until /)
      .waitFor();
    expect(await row('Market stall').getByText('new chats used').count()).toBe(0);
  }
  expect(await portal.leave()).toEqual([]);
});
