import { beforeAll, expect, it } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, type SignedIn } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';

const clock = createManualClock();
let member: SignedIn;
const { gateway, customer } = useGateway({ store: 'sqlite', overrides: { clock } });
beforeAll(async () => {
  member = await memberOf(gateway, customer.accountId);
});

const pairing = async (id: string) => expectOk(await member.call('GET', `/portal/api/pairings/${id}`)).body.data;

it('tells how long the code lives that is shown', async () => {
  const id = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
  const begun = clock.now();
  const first = await pairing(id);
  expect(first).toEqual({
    instance_id: id,
    account_id: customer.accountId,
    code_shown_at: new Date(begun).toISOString(),
    code_expires_at: expect.stringMatching(/Z$/),
    told_at: new Date(begun).toISOString(),
  });
  const life = Date.parse(first.code_expires_at) - begun;
  expect(life).toBeGreaterThan(5000);

  await clock.advanceAsync(life - 1000);
  expect(await pairing(id)).toEqual({ ...first, told_at: new Date(clock.now()).toISOString() });
  await clock.advanceAsync(1000);
  const second = await pairing(id);
  expect(second.code_shown_at).toBe(first.code_expires_at);
  expect(Date.parse(second.code_expires_at)).toBeGreaterThan(clock.now());
});

it('tells of no code when there is none', async () => {
  const id = await customer.linked('491710000901');
  expect(await pairing(id)).toMatchObject({ code_shown_at: null, code_expires_at: null });
  await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`);
  expect(await pairing(id)).toMatchObject({ code_shown_at: null, code_expires_at: null });

  const other = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
  await clock.advanceAsync(30 * 60 * 1000);
  expect((await customer.call('GET', `/v1/instances/${other}/qr-status`)).body.data.exhausted).toBe(true);
  expect(await pairing(other)).toMatchObject({ code_shown_at: null, code_expires_at: null });
});

it("knows no other account's instances", async () => {
  const stranger = await gateway.customer();
  const theirs = (await stranger.call('POST', '/v1/instances', {})).body.data.instance_id;
  for (const id of [theirs, 'none', '%00'])
    expect(outcome(await member.call('GET', `/portal/api/pairings/${id}`))).toBe('404 instance_not_found');
});
