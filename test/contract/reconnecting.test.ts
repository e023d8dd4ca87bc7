import { beforeEach, describe, expect, it, vi } from 'vitest';
import { GatewayError } from '../../src/core/index.ts';
import { LinkEnded } from '../../src/networks/index.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { nodesOfGateway } from '../support/run-options.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';

import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const phone = '491710000700';
// Full jitter with this "random" waits half of 1, 2, 4 … s, at most half a minute.
const half = 0.5;

describe('a lost connection', () => {
  const clock = createManualClock();
  const network = new ScriptedNetwork();
  let customer: Customer;
  let id: string;
  const { gateway } = useGateway({ overrides: { clock, random: () => half, networks: () => [network] } });
  beforeEach(async () => {
    customer = await gateway.customer();
    id = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    await network.link(id).pairs(phone);
    await customer.reaches(id, 'open');
  });
  const get = async (rest: string) => (await customer.call('GET', `/v1/instances/${id}/${rest}`)).body.data;
  const links = () => network.linksOf(id).length;
  const send = (instance_id = id) => customer.send('text', { instance_id, to: '491701234500', text: 'x' });
  const check = () => customer.call('POST', '/v1/numbers/check', { instance_id: id, numbers: ['491701234500'] });
  const lose = async () => {
    await network.link(id).closes('lost');
    await customer.reaches(id, 'connecting');
  };
  /** Begins the call and resolves when the server that has the number has come to it, with the answer to come. */
  const waiting = async <T>(call: () => Promise<T>): Promise<{ answer: Promise<T> }> => {
    const session = gateway.session(customer.accountId, id);
    if (session === undefined) throw new Error('no server has the number');
    const spies = [vi.spyOn(session, 'send'), vi.spyOn(session, 'check')];
    const answer = call();
    await waitFor(() => expect(spies.reduce((calls, { mock }) => calls + mock.calls.length, 0)).toBe(1));
    for (const spy of spies) spy.mockRestore();
    return { answer };
  };
  /** Lets the gateway open its next link after exactly this time. */
  const opensAfter = async (ms: number) => {
    const before = links();
    await clock.advanceAsync(ms - 1);
    expect(links()).toBe(before);
    await clock.advanceAsync(1);
    await waitFor(() => expect(links()).toBe(before + 1));
  };

  it('shows as connecting, still linked, and comes back by itself without a scan [instance.status reconnect.self]', async () => {
    await lose();
    expect(await get('status')).toMatchObject({ status: 'connecting', connected: false, phone_number: phone });
    expect(await get('qr-status')).toMatchObject({
      status: 'connecting',
      qrcode: null,
      rotation_count: null,
      exhausted: false,
      source: 'live',
    });
    await opensAfter(500);
    network.link(id).opens(phone);
    await customer.reaches(id, 'open');
    expect((await send()).status).toBe(200);
    expect(network.link(id).sent).toHaveLength(1);
  });

  it('backs off longer after each failure, up to a minute, and starts over after a success [reconnect.backoff]', async () => {
    await lose();
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      await opensAfter((seconds * 1000) / 2);
      await network.link(id).closes('lost');
      await get('qr-status');
    }
    await opensAfter(30_000);
    network.link(id).opens(phone);
    await customer.reaches(id, 'open');
    await lose();
    await opensAfter(500);
  });

  it('opens again at once when the network asks for a restart of the link [reconnect.self]', async () => {
    const before = links();
    await network.link(id).closes('restart');
    await waitFor(() => expect(links()).toBe(before + 1));
    expect(await get('status')).toMatchObject({ status: 'connecting', connected: false });
    const { answer } = await waiting(send);
    network.link(id).opens(phone);
    expect((await answer).status).toBe(200);
    expect(await get('status')).toMatchObject({ status: 'open', connected: true });
  });

  it('backs off when a link is restarted before it was open', async () => {
    await network.link(id).closes('restart');
    await customer.reaches(id, 'connecting');
    await waitFor(() => expect(network.link(id).ended).toBeNull());
    await network.link(id).closes('restart');
    await get('qr-status');
    await opensAfter(500);
    network.link(id).opens(phone);
    await customer.reaches(id, 'open');
  });

  it('holds a send up to 5 s: 200 when the link is back in time [reconnect.send]', async () => {
    await lose();
    await opensAfter(500);
    const { answer } = await waiting(send);
    await clock.advanceAsync(4999);
    network.link(id).opens(phone);
    expect(await answer).toMatchObject({ status: 200, body: { data: { status: 'sent' } } });
    expect(network.link(id).sent).toHaveLength(1);
  });

  it('holds a send up to 5 s: 502 when the link is not back, and nothing was sent [reconnect.send]', async () => {
    await lose();
    await opensAfter(500);
    const { answer } = await waiting(send);
    await clock.advanceAsync(5000);
    expect(await answer).toMatchObject(refusal(502, 'upstream_unavailable'));
    network.link(id).opens(phone);
    await customer.reaches(id, 'open');
    expect(network.link(id).sent).toEqual([]);
  });

  it('of a number whose budget of new chats is used up: 502 and not 422, because the chat may be a known one', async () => {
    const owner = await memberOf(gateway, customer.accountId, 'owner');
    expectOk(await owner.call('PATCH', `/portal/api/numbers/${id}`, { body: { chat_budget: { per_day: 1 } } }));
    expect((await customer.send('text', { instance_id: id, to: '491701234501', text: 'x' })).status).toBe(200);
    expect(await send()).toMatchObject(refusal(422, 'invalid_recipient'));
    await lose();
    await opensAfter(500);
    network.link(id).answerKnows = async () => null;
    const { answer } = await waiting(send);
    await clock.advanceAsync(5000);
    expect(await answer).toMatchObject(refusal(502, 'upstream_unavailable'));
  });

  it('a retry of what may have arrived does not say that nothing was sent', async () => {
    const body = { instance_id: id, to: '491701234500', text: 'x' };
    const retry = () => customer.send('text', body, { 'idempotency-key': 'may-have-arrived' });
    network.link(id).answerSend = async () => ({ outcome: 'unknown' });
    expect(await retry()).toMatchObject(refusal(502, 'upstream_unavailable'));
    network.link(id).answerSend = async () => ({ outcome: 'rejected', code: '473', reason: 'interactive_not_allowed' });
    const again = await retry();
    expect(again).toMatchObject(refusal(502, 'upstream_unavailable'));
    expect(again.body.error.message).toContain('an earlier one with this Idempotency-Key may have been');
  });

  it.each([-3_600_000, 3_600_000])('holds a send for 5 s, also when the calendar is set by %i ms meanwhile', async (ms) => {
    await lose();
    await opensAfter(500);
    const { answer } = await waiting(send);
    let answered = false;
    void answer.then(() => {
      answered = true;
    });
    clock.setCalendar(ms);
    // The wait begins anew with each change of the link, and then for what is left of it.
    await clock.advanceAsync(4000);
    await network.link(id).closes('lost');
    await get('status');
    await clock.advanceAsync(999);
    expect(answered).toBe(false);
    await clock.advanceAsync(1);
    expect(await answer).toMatchObject(refusal(502, 'upstream_unavailable'));
    clock.setCalendar(-ms);
  });

  describe('a send that finds its link closed before the gateway knows it', () => {
    const late = async () => {
      const closed = network.link(id);
      let handedOver = 0;
      closed.answerSend = async () => {
        handedOver++;
        return { outcome: 'not_open' };
      };
      return { ...(await waiting(send)), times: () => handedOver };
    };

    it('goes over the next link: 200 [reconnect.send]', async () => {
      const { answer, times } = await late();
      await network.link(id).closes('lost');
      await customer.reaches(id, 'connecting');
      await opensAfter(500);
      network.link(id).opens(phone);
      expect((await answer).status).toBe(200);
      expect(network.link(id).sent).toHaveLength(1);
      expect(times()).toBe(1);
    });

    it('is refused with 409 when the number turns out to be unlinked', async () => {
      const { answer } = await late();
      await network.link(id).closes('unlinked');
      expect(await answer).toMatchObject(refusal(409, 'instance_not_connected'));
    });

    it('gives up after 5 s: 502, handed over once', async () => {
      const { answer, times } = await late();
      await clock.advanceAsync(5000);
      expect(await answer).toMatchObject(refusal(502, 'upstream_unavailable'));
      expect(times()).toBe(1);
    });

    it('gives up after 5 s in all, also when the next link closes the same way', async () => {
      const { answer } = await late();
      await network.link(id).closes('lost');
      await customer.reaches(id, 'connecting');
      await opensAfter(500);
      network.link(id).answerSend = async () => ({ outcome: 'not_open' });
      network.link(id).opens(phone);
      await customer.reaches(id, 'open');
      await clock.advanceAsync(4500);
      expect(await answer).toMatchObject(refusal(502, 'upstream_unavailable'));
    });
  });

  it('answers a number check that finds no link with "could not be completed" for every number [check.incomplete]', async () => {
    await lose();
    await opensAfter(500);
    const { answer } = await waiting(check);
    await clock.advanceAsync(5000);
    expect((await answer).body.data.results).toEqual([{ number: '491701234500', reachable: null, network_number: null }]);
  });

  it.each(['unlinked', 'banned', 'refused'] as const)(
    'is closed when it was %s: 409, no reconnect, a scan mends it [send.not-connected check.connected unlinked.closed]',
    async (reason) => {
      await network.link(id).closes(reason);
      await customer.reaches(id, 'close');
      expect(await get('status')).toMatchObject({ status: 'close', connected: false, phone_number: phone });
      expect(await send()).toMatchObject(refusal(409, 'instance_not_connected'));
      expect(await check()).toMatchObject(refusal(409, 'instance_not_connected'));
      const before = links();
      await clock.advanceAsync(10 * 60_000);
      expect(links()).toBe(before);
      expect(await get('qr')).toMatchObject({ status: 'connecting', already_connected: false });
      await network.link(id).pairs(phone);
      await customer.reaches(id, 'open');
      expect((await send()).status).toBe(200);
    },
  );

  it('refuses a waiting send at once with 409 when the link turns out to be unlinked [unlinked.closed]', async () => {
    await lose();
    await opensAfter(500);
    const { answer } = await waiting(send);
    await network.link(id).closes('unlinked');
    expect(await answer).toMatchObject(refusal(409, 'instance_not_connected'));
    expect(await send()).toMatchObject(refusal(409, 'instance_not_connected'));
  });

  it('can be disconnected while it is away: no more reconnects [logout.any]', async () => {
    await lose();
    const answer = await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`);
    expect(answer.body.data).toEqual({ instance_id: id, status: 'close', disconnected: true });
    const before = links();
    expect(network.link(id).ended).toBe('logged out');
    await clock.advanceAsync(10 * 60_000);
    expect(links()).toBe(before);
    expect(await send()).toMatchObject(refusal(409, 'instance_not_connected'));
  });

  it('can be deleted while it is away [delete.removed]', async () => {
    await lose();
    expect((await customer.call('DELETE', `/v1/instances/${id}`)).body.data).toEqual({ instance_id: id, deleted: true });
    const before = links();
    expect(network.link(id).ended).toBe('logged out');
    await clock.advanceAsync(10 * 60_000);
    expect(links()).toBe(before);
  });

  it.each(['', '?logout_only=true'])('keeps the number working when DELETE%s fails, until asked again [delete.both]', async (query) => {
    network.link(id).answerLogout = () => Promise.reject(new Error('the store is away'));
    expect(await customer.call('DELETE', `/v1/instances/${id}${query}`)).toMatchObject(refusal(500, 'internal_error'));
    await opensAfter(500);
    network.link(id).opens(phone);
    await customer.reaches(id, 'open');
    expect((await send()).status).toBe(200);
    expect((await customer.call('DELETE', `/v1/instances/${id}${query}`)).status).toBe(200);
    expect(await send()).toMatchObject(query === '' ? refusal(404, 'instance_not_found') : refusal(409, 'instance_not_connected'));
  });

  it('unlinks over another link when the one it had has closed by itself a moment before', async () => {
    const gone = network.link(id);
    gone.answerLogout = () => Promise.reject(new LinkEnded());
    expect((await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`)).status).toBe(200);
    expect(gone.ended).toBeNull();
    expect(network.link(id)).not.toBe(gone);
    expect(network.link(id).ended).toBe('logged out');
  });

  it('opens no other link when the network has just ended the credentials', async () => {
    const gone = network.link(id);
    gone.answerLogout = async () => {
      await gone.context.credentials.clear();
      throw new LinkEnded();
    };
    expect((await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`)).body.data).toMatchObject({ status: 'close' });
    await clock.advanceAsync(60_000);
    expect(network.link(id)).toBe(gone);
    expect(await get('status')).toMatchObject({ status: 'close', connected: false });
  });

  it('tells when the network could not be told to unlink the number, which then comes back', async () => {
    network.link(id).answerLogout = () => Promise.reject(new GatewayError('upstream_unavailable', 'The network could not be told.'));
    expect(await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`)).toMatchObject(refusal(502, 'upstream_unavailable'));
    await opensAfter(500);
    network.link(id).opens(phone);
    await customer.reaches(id, 'open');
  });

  it('can be paired anew when its link turns out to have no credentials any more', async () => {
    await lose();
    await opensAfter(500);
    await network.link(id).context.credentials.clear();
    network.link(id).showCode(1);
    await waitFor(async () => expect((await get('qr-status')).qrcode).not.toBeNull());
    expect(await send()).toMatchObject(refusal(409, 'instance_not_connected'));
    await network.link(id).closes('codes_exhausted');
    await customer.reaches(id, 'close');
    expect(await get('qr')).toMatchObject({ status: 'connecting', qrcode: { code: expect.any(String) } });
  });

  it("is not seen by the account's other numbers [reconnect.self]", async () => {
    const other = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    await network.link(other).pairs('491710000701');
    await customer.reaches(other, 'open');
    await lose();
    expect((await send(other)).status).toBe(200);
    expect((await customer.call('GET', '/v1/instances')).body.data.instances).toMatchObject([{ status: 'connecting' }, { status: 'open' }]);
  });
});

// A server knows of the outage of its own numbers.
if (nodesOfGateway === 1) {
  describe('an outage of the network', () => {
    const clock = createManualClock();
    const network = new ScriptedNetwork();
    const { gateway } = useGateway({ overrides: { clock, random: () => half, networks: () => [network] } });

    it('ends for all numbers when one is back: the others do not wait out their pauses', async () => {
      const customer = await gateway.customer();
      const ids: string[] = [];
      for (const number of ['491710000711', '491710000712']) {
        const id: string = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
        await network.link(id).pairs(number);
        await customer.reaches(id, 'open');
        ids.push(id);
      }
      const [first = '', second = ''] = ids;
      const links = (id: string) => network.linksOf(id).length;
      const lose = async (id: string) => {
        await network.link(id).closes('lost');
        await customer.call('GET', `/v1/instances/${id}/qr-status`);
      };
      for (const pauseMs of [500, 1000, 2000, 4000, 8000]) {
        const before = links(first) + links(second);
        for (const id of ids) await lose(id);
        await clock.advanceAsync(pauseMs);
        await waitFor(() => expect(links(first) + links(second)).toBe(before + 2));
      }
      // Its next try would be in 16 s.
      await lose(second);
      const before = links(second);
      network.link(first).opens('491710000711');
      await customer.reaches(first, 'open');
      await clock.advanceAsync(999);
      expect(links(second)).toBe(before);
      await clock.advanceAsync(1);
      await waitFor(() => expect(links(second)).toBe(before + 1));
    });
  });
}
