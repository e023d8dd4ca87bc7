import { beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { refusal } from '../support/refusal.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const never = () => new Promise<never>(() => undefined);

describe('what the network cannot say', () => {
  const clock = createManualClock();
  const network = new ScriptedNetwork();
  const showsCode = network.onOpen;
  let customer: Customer;
  const { gateway } = useGateway({ overrides: { clock, networks: () => [network] } });
  beforeEach(async () => {
    customer = await gateway.customer();
    network.onOpen = showsCode;
  });
  const get = (id: string, rest: string) => customer.call('GET', `/v1/instances/${id}/${rest}`);
  /** Starts the call, waits until it has set its timer, and lets that run out. */
  const outwaiting = async <T>(ms: number, call: () => Promise<T>): Promise<T> => {
    const before = clock.pendingOf(ms);
    const answer = call();
    await waitFor(() => expect(clock.pendingOf(ms)).toBeGreaterThan(before));
    await clock.advanceAsync(ms);
    return answer;
  };
  const linked = async (phone: string): Promise<string> => {
    const { instance_id } = (await customer.call('POST', '/v1/instances', {})).body.data;
    await network.link(instance_id).pairs(phone);
    await customer.reaches(instance_id, 'open');
    return instance_id;
  };

  describe('no code', () => {
    const slow = refusal(503, 'qr_unavailable');

    it('leaves a new instance closed without a QR after 2 s; /qr answers 503 with Retry-After until there is one [qr.unavailable create.data create.no-code]', async () => {
      network.onOpen = () => undefined;
      const created = await outwaiting(2000, () => customer.call('POST', '/v1/instances', {}));
      expect(created.status).toBe(200);
      expect(created.body.data).toMatchObject({ status: 'close', connected: false, qrcode: null });
      const id = created.body.data.instance_id;

      const answer = await outwaiting(2000, () => get(id, 'qr'));
      expect(answer).toMatchObject(slow);
      expect(answer.headers.get('retry-after')).toBe('3');
      expect((await get(id, 'qr-status')).body.data).toMatchObject({ status: 'close', qrcode: null, rotation_count: 0, exhausted: false });
      // The attempt is still the first one: asking again does not open another link.
      expect(network.linksOf(id)).toHaveLength(1);

      network.link(id).showCode(1);
      expect((await get(id, 'qr')).body.data).toMatchObject({ status: 'connecting', qrcode: { code: expect.stringContaining('code 1') } });
      expect(network.linksOf(id)).toHaveLength(1);
    });

    it('waits for a code that comes within 2 s [create.waits]', async () => {
      network.onOpen = () => undefined;
      const before = clock.pendingOf(2000);
      const creating = customer.call('POST', '/v1/instances', {});
      await waitFor(() => expect(clock.pendingOf(2000)).toBeGreaterThan(before));
      await clock.advanceAsync(1999);
      network.links.at(-1)?.showCode(1);
      expect((await creating).body.data).toMatchObject({ status: 'connecting', qrcode: { code: expect.stringContaining('code 1') } });
    });

    it('names a new instance also when no attempt can begin, because it exists [create.no-code]', async () => {
      const open = network.open.bind(network);
      network.open = () => {
        throw new Error('there is no thread left');
      };
      const created = await customer.call('POST', '/v1/instances', {});
      network.open = open;
      expect(created.status).toBe(200);
      expect(created.body.data).toMatchObject({ status: 'close', connected: false, qrcode: null });
      const { instance_id } = created.body.data;
      expect((await get(instance_id, 'qr')).body.data).toMatchObject({ instance_id, status: 'connecting' });
    });

    it('answers 503 when the attempt breaks off, and starts another at the next /qr [qr.unavailable]', async () => {
      network.onOpen = (link) => void link.closes('lost');
      const { instance_id, status, qrcode } = (await customer.call('POST', '/v1/instances', {})).body.data;
      expect([status, qrcode]).toEqual(['close', null]);
      const answer = await get(instance_id, 'qr');
      expect(answer).toMatchObject(slow);
      expect(answer.headers.get('retry-after')).toBe('3');
      expect((await get(instance_id, 'status')).body.data.status).toBe('close');
      network.onOpen = showsCode;
      expect((await get(instance_id, 'qr')).body.data.status).toBe('connecting');
      expect(network.linksOf(instance_id)).toHaveLength(3);
    });

    it('carries Retry-After on no other answer [qr.unavailable limits.retry-after]', async () => {
      const { instance_id } = (await customer.call('POST', '/v1/instances', {})).body.data;
      for (const rest of ['qr', 'qr-status', 'status']) expect((await get(instance_id, rest)).headers.get('retry-after')).toBeNull();
    });
  });

  describe('no answer to the live check', () => {
    it.each([
      ['fails', async () => false],
      ['breaks', () => Promise.reject(new Error('secret library text'))],
    ])('that %s: status 502, qr-status incomplete, cached [status.502 qr-status.incomplete errors.no-leak]', async (_how, answerProbe) => {
      const id = await linked('491710000600');
      network.link(id).answerProbe = answerProbe;
      const status = await get(id, 'status');
      expect(status).toMatchObject(refusal(502, 'upstream_unavailable'));
      expect(JSON.stringify(status.body)).not.toContain('secret');
      const polled = await get(id, 'qr-status');
      expect(polled.status).toBe(200);
      expect(polled.body.data).toEqual({
        instance_id: id,
        label: null,
        status: 'open',
        connected: true,
        phone_number: '491710000600',
        qrcode: null,
        rotation_count: null,
        rotation_limit: 3,
        exhausted: false,
        check_incomplete: true,
        source: 'cached',
      });
    });

    it('that hangs: the same after 5 s [status.502 qr-status.incomplete]', async () => {
      const id = await linked('491710000601');
      network.link(id).answerProbe = never;
      expect(await outwaiting(5000, () => get(id, 'status'))).toMatchObject(refusal(502, 'upstream_unavailable'));
      expect((await outwaiting(5000, () => get(id, 'qr-status'))).body.data).toMatchObject({ check_incomplete: true, source: 'cached' });
      network.link(id).answerProbe = async () => true;
      expect((await get(id, 'status')).body.data.status).toBe('open');
      const complete = (await get(id, 'qr-status')).body.data;
      expect(complete).toMatchObject({ source: 'live' });
      expect(complete).not.toHaveProperty('check_incomplete');
    });

    it.each([
      ['unlinked', 'close'],
      ['lost', 'connecting'],
    ] as const)('because the link ends as %s meanwhile: the state is known, and is %s [status.502]', async (reason, status) => {
      const id = await linked('491710000602');
      const link = network.link(id);
      link.answerProbe = async () => {
        await link.closes(reason);
        await customer.reaches(id, status);
        return false;
      };
      expect((await get(id, 'status')).body.data).toMatchObject({ status, connected: false });
    });
  });

  it('costs one check per status call, and none for the list [instances.list-free status.live]', async () => {
    const id = await linked('491710000603');
    await get(id, 'status');
    await get(id, 'status');
    expect(network.link(id).probes).toBe(2);
    await customer.call('GET', '/v1/instances');
    expect(network.link(id).probes).toBe(2);
  });
});
