import { beforeEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../src/core/index.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { refusal } from '../support/refusal.ts';
import { type ScriptedLink, ScriptedNetwork } from '../support/scripted-network.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const phone = '491710001100';

describe('what can go wrong while pairing', () => {
  const clock = createManualClock();
  const network = new ScriptedNetwork();
  let customer: Customer;
  let id: string;
  const { gateway } = useGateway({ overrides: { clock, networks: () => [network] } });
  beforeEach(async () => {
    customer = await gateway.customer();
    id = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
  });
  const get = (rest: string) => customer.call('GET', `/v1/instances/${id}/${rest}`);
  const notReady = refusal(503, 'qr_unavailable');
  const comesBack = async (before: ScriptedLink) => {
    await waitFor(async () => {
      await clock.advanceAsync(1_000);
      expect(network.link(id)).not.toBe(before);
    });
  };
  const isDropped = async () => {
    await waitFor(async () => expect(await get('status')).toMatchObject(refusal(409, 'number_already_connected')));
    expect(network.link(id).ended).toBe('logged out');
  };
  /** The instance had the number before, and another one of the account is connected with it now; the id of that one. */
  const hadTheNumberBefore = async (): Promise<string> => {
    await network.link(id).pairs(phone);
    await customer.reaches(id, 'open');
    await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`);
    const other: string = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    await network.link(other).pairs(phone);
    await customer.reaches(other, 'open');
    await get('qr');
    return other;
  };

  describe('the network asks for a passkey', () => {
    const request = { stage: 'requested', options: { challenge: 'AAAA', rpId: 'whatsapp.com' }, expiresAt: Date.UTC(2026, 0, 1) } as const;
    const stage = (expected: object) =>
      waitFor(async () => expect((await get('qr-status')).body.data).toMatchObject({ passkey: expected }));

    it('shows how far that is instead of a QR that would fail, and the attempt goes on [extensions.passkey passkey.status]', async () => {
      expect((await get('qr-status')).body.data).not.toHaveProperty('passkey_required');
      const link = network.link(id);
      link.passkey(request);
      await stage({ stage: 'requested' });
      expect((await get('qr-status')).body.data).toEqual({
        instance_id: id,
        label: null,
        status: 'connecting',
        connected: false,
        phone_number: null,
        qrcode: null,
        rotation_count: 1,
        rotation_limit: 3,
        exhausted: false,
        passkey_required: true,
        passkey: { stage: 'requested', expires_at: '2026-01-01T00:00:00.000Z' },
        source: 'live',
      });
      expect((await get('passkey')).body.data).toEqual({
        instance_id: id,
        options: request.options,
        expires_at: '2026-01-01T00:00:00.000Z',
        confirmation_code: null,
      });
      expect((await get('passkey')).headers.get('cache-control')).toBe('no-store');
      const answer = await get('qr');
      expect(answer).toMatchObject(notReady);
      expect(answer.headers.get('retry-after')).toBe('3');
      expect(network.linksOf(id)).toHaveLength(1);
    });

    it('takes the passkey and the confirmation, and refuses both when nobody asked [passkey.endpoints]', async () => {
      const link = network.link(id);
      const post = (rest: string, body?: object) => customer.call('POST', `/v1/instances/${id}/passkey${rest}`, body);
      expect(await post('', { credential: {} })).toMatchObject(refusal(400, 'invalid_request'));
      expect(await post('/confirm')).toMatchObject(refusal(400, 'invalid_request'));
      expect(await post('', {})).toMatchObject(refusal(400, 'invalid_request', { field: 'credential' }));
      expect(await post('', { credential: 'text' })).toMatchObject(refusal(400, 'invalid_request', { field: 'credential' }));
      link.passkey(request);
      link.answerPasskey = async () => ({ problem: 'credential is wrong.' });
      expect(await post('', { credential: {} })).toMatchObject(refusal(400, 'invalid_request', { field: 'credential' }));
      link.answerPasskey = async () => {
        link.passkey({ stage: 'confirming', confirmationCode: '1234-5678', expiresAt: 1 });
        return 'sent';
      };
      expect((await post('', { credential: { id: 'x', more: [1] } })).body.data).toEqual({ instance_id: id, stage: 'confirming' });
      expect(link.passkeysGiven.at(-1)).toEqual({ id: 'x', more: [1] });
      expect((await get('passkey')).body.data).toMatchObject({ options: null, confirmation_code: '1234-5678' });
      link.answerConfirmation = async () => true;
      expect((await post('/confirm')).body.data).toEqual({ instance_id: id, stage: 'confirming' });
      await link.pairs(phone);
      await customer.reaches(id, 'open');
      expect((await get('passkey')).body.data).toMatchObject({ options: null, confirmation_code: null });
    });

    it('says why it failed, gives the link up, and the next attempt may succeed [extensions.passkey passkey.status]', async () => {
      const link = network.link(id);
      link.passkey(request);
      link.passkey({ stage: 'failed', reason: 'Nobody gave the passkey in time.' });
      await customer.reaches(id, 'close');
      for (let poll = 0; poll < 2; poll++) {
        expect((await get('qr-status')).body.data).toMatchObject({
          ...{ status: 'close', qrcode: null, exhausted: true, passkey_required: true },
          passkey: { stage: 'failed', expires_at: null, reason: 'Nobody gave the passkey in time.' },
        });
      }
      await waitFor(() => expect(link.ended).toBe('closed'));
      // What the link still says is not heard.
      link.showCode(2);
      expect((await get('qr-status')).body.data).toMatchObject({ qrcode: null, rotation_count: 1 });
      expect((await get('qr')).body.data).toMatchObject({ status: 'connecting', qrcode: { code: expect.any(String) } });
      const fresh = (await get('qr-status')).body.data;
      expect(fresh).toMatchObject({ exhausted: false, rotation_count: 1 });
      expect(fresh).not.toHaveProperty('passkey_required');
      await network.link(id).pairs(phone);
      await customer.reaches(id, 'open');
    });
  });

  describe('the pairing code', () => {
    const withCode = () => get(`qr?phone_number=${phone}`);
    /** Starts the call, waits until the network is asked, and lets the time run out. */
    const outwaiting = async (ms: number) => {
      const { pairingCodesAsked } = network.link(id);
      const before = clock.pending;
      const answer = withCode();
      await waitFor(() => expect([pairingCodesAsked.length > 0, clock.pending > before]).toEqual([true, true]));
      await clock.advanceAsync(ms);
      return answer;
    };

    it('is asked for once per phone number, so that a second question does not void what is being typed [pairing-code.asked]', async () => {
      const link = network.link(id);
      link.answerPairingCode = async (number) => `CODE${number.slice(-4)}`;
      expect((await withCode()).body.data.qrcode.pairingCode).toBe('CODE1100');
      expect((await withCode()).body.data.qrcode.pairingCode).toBe('CODE1100');
      expect(link.pairingCodesAsked).toEqual([phone]);
      expect((await get('qr?phone_number=491710001101')).body.data.qrcode.pairingCode).toBe('CODE1101');
      expect((await get('qr-status')).body.data.qrcode.pairingCode).toBe('CODE1101');
    });

    it('that the network replaces is shown at once, also to who asks again, and nothing is shown where none was [pairing-code.asked]', async () => {
      const link = network.link(id);
      link.renewPairingCode('UNASKED1');
      expect((await get('qr')).body.data.qrcode.pairingCode).toBeNull();
      link.answerPairingCode = async () => 'FIRST111';
      expect((await withCode()).body.data.qrcode.pairingCode).toBe('FIRST111');
      link.renewPairingCode('SECOND22');
      expect((await get('qr-status')).body.data.qrcode.pairingCode).toBe('SECOND22');
      expect((await withCode()).body.data.qrcode.pairingCode).toBe('SECOND22');
      expect(link.pairingCodesAsked).toEqual([phone]);
    });

    it('that takes longer than 10 s: 503, the QR stays, and the next question gets the code [pairing-code.asked]', async () => {
      const link = network.link(id);
      const { promise, resolve } = Promise.withResolvers<string>();
      link.answerPairingCode = () => promise;
      const answer = await outwaiting(10_000);
      expect(answer).toMatchObject(notReady);
      expect(answer.headers.get('retry-after')).toBe('3');
      expect((await get('qr')).body.data.qrcode).toMatchObject({ code: expect.any(String), pairingCode: null });
      resolve('LATECODE');
      expect((await withCode()).body.data.qrcode.pairingCode).toBe('LATECODE');
      expect(link.pairingCodesAsked).toEqual([phone]);
    });

    it('that the network fails to give: 503 without a word of the library, and the next question asks again [pairing-code.asked]', async () => {
      const link = network.link(id);
      link.answerPairingCode = () => Promise.reject(new Error('secret library text'));
      const answer = await withCode();
      expect(answer).toMatchObject(notReady);
      expect(JSON.stringify(answer.body)).not.toContain('secret');
      link.answerPairingCode = async () => 'SECOND22';
      expect((await withCode()).body.data.qrcode.pairingCode).toBe('SECOND22');
    });

    it('is not needed when a scan comes first', async () => {
      const link = network.link(id);
      const { promise, reject } = Promise.withResolvers<string>();
      link.answerPairingCode = () => promise;
      const answer = withCode();
      await waitFor(() => expect(link.pairingCodesAsked).toEqual([phone]));
      await link.pairs(phone);
      await customer.reaches(id, 'open');
      reject(new Error('the attempt is over'));
      expect((await answer).body.data).toMatchObject({ connected: true, already_connected: true, qrcode: null });
    });
  });

  describe('the connection is lost after the phone has linked and before the first login', () => {
    const scanned = async () => {
      const link = network.link(id);
      await link.context.credentials.write(new Map([['device', Buffer.from(phone)]]));
      await link.closes('lost');
      await customer.reaches(id, 'connecting');
      return link;
    };

    it('comes back by itself: the phone shows it as linked, so nobody would scan again', async () => {
      await comesBack(await scanned());
      expect((await get('qr-status')).body.data).toMatchObject({ status: 'connecting', qrcode: null, exhausted: false });
      network.link(id).opens(phone);
      await customer.reaches(id, 'open');
      expect((await get('status')).body.data).toMatchObject({ connected: true, phone_number: phone });
    });

    it('can be logged out meanwhile, and leaves nothing', async () => {
      const link = await scanned();
      expect((await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`)).status).toBe(200);
      expect(network.link(id)).not.toBe(link);
      expect(network.link(id).ended).toBe('logged out');
      expect(await link.context.credentials.read(['device'])).toEqual(new Map());
    });

    it('still finds out that the number is connected on another instance', async () => {
      await network.link(id).pairs(phone);
      await customer.reaches(id, 'open');
      id = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
      await comesBack(await scanned());
      network.link(id).opens(phone);
      await isDropped();
    });
  });

  describe('disconnecting or deleting fails after the phone has linked and before the first login', () => {
    const fails = async (query: string) => {
      const link = network.link(id);
      await link.context.credentials.write(new Map([['device', Buffer.from(phone)]]));
      link.answerLogout = () => Promise.reject(new GatewayError('upstream_unavailable', 'The network could not be told.'));
      expect(await customer.call('DELETE', `/v1/instances/${id}${query}`)).toMatchObject(refusal(502, 'upstream_unavailable'));
      return link;
    };

    it.each(['', '?logout_only=true'])('stays linked, and DELETE%s unlinks it when asked again', async (query) => {
      const link = await fails(query);
      expect((await customer.call('DELETE', `/v1/instances/${id}${query}`)).status).toBe(200);
      expect(network.link(id)).not.toBe(link);
      expect(network.link(id).ended).toBe('logged out');
      expect(await link.context.credentials.read(['device'])).toEqual(new Map());
    });

    it('comes back by itself, and finds out that the number is connected on another instance', async () => {
      await hadTheNumberBefore();
      const link = await fails('?logout_only=true');
      await comesBack(link);
      network.link(id).opens(phone);
      await isDropped();
    });
  });

  it('a number that is connected elsewhere is unlinked again as soon as that is possible', async () => {
    await network.link(id).pairs(phone);
    await customer.reaches(id, 'open');
    id = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    const first = network.link(id);
    first.answerLogout = () => Promise.reject(new Error('the network is away'));
    await first.pairs(phone);
    await comesBack(first);
    network.link(id).opens(phone);
    await isDropped();
  });

  describe('an instance that had the number before is linked with it again while another one is connected with it', () => {
    /** The phone scans, and the new link cannot be unlinked again. */
    const staysLinked = async () => {
      const first = network.link(id);
      first.answerLogout = () => Promise.reject(new Error('the network is away'));
      await first.pairs(phone);
      await comesBack(first);
    };

    it('is unlinked again as soon as that is possible', async () => {
      await hadTheNumberBefore();
      await staysLinked();
      network.link(id).opens(phone);
      await isDropped();
    });

    it('keeps the other one from nothing meanwhile', async () => {
      const other = await hadTheNumberBefore();
      await staysLinked();
      await customer.call('DELETE', `/v1/instances/${other}?logout_only=true`);
      await customer.call('GET', `/v1/instances/${other}/qr`);
      await network.link(other).pairs(phone);
      await customer.reaches(other, 'open');
      network.link(id).opens(phone);
      await isDropped();
    });

    it('is unlinked again after a restart between the scan and the first login', async () => {
      await hadTheNumberBefore();
      const first = network.link(id);
      await first.context.credentials.write(new Map([['device', Buffer.from(phone)]]));
      await gateway.restart();
      await comesBack(first);
      network.link(id).opens(phone);
      await isDropped();
    });
  });
});
