import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { createManualClock } from '../support/manual-clock.ts';
import { refusal } from '../support/refusal.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const minuteMs = 60_000;

describe('linking a number whose account has a passkey', () => {
  const clock = createManualClock();
  let world: WhatsAppWorld;
  let id: string;
  let phone: Person;
  let problems: number;
  beforeAll(async () => {
    world = await startWhatsAppWorld({ clock, server: { clock } });
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    world.server.faults.clear();
    problems = world.server.record.problems.length;
    id = await world.instance();
    phone = world.somebody();
  });

  const newProblems = () => world.server.record.problems.slice(problems);
  const post = (rest: string, body?: object) => world.customer.call('POST', `/v1/instances/${id}/passkey${rest}`, body);
  const give = (credential: object) => post('', { credential });
  const status = () => world.get(id, 'qr-status');
  const asked = () => world.get(id, 'passkey');
  const reached = (stage: string) => waitFor(async () => expect(await status()).toMatchObject({ passkey: { stage } }));
  /** Scans, and waits until the network has asked for the passkey. */
  async function scan(script: Parameters<typeof world.server.faults.askPasskey>[0] = true) {
    world.server.faults.askPasskey(script);
    await expect(phone.scan(await world.code(id))).rejects.toThrow('passkey');
    await reached('requested');
    return (await asked()).options;
  }
  /** The attempt is over for this reason, and the next one links. */
  async function failsWith(reason: string) {
    await world.customer.reaches(id, 'close');
    expect(await status()).toMatchObject({
      ...{ status: 'close', qrcode: null, exhausted: true, passkey_required: true },
      passkey: { stage: 'failed', expires_at: null, reason: expect.stringContaining(reason) },
    });
    expect(await asked()).toEqual({ instance_id: id, options: null, expires_at: null, confirmation_code: null });
    expect(await give({})).toMatchObject(refusal(400, 'invalid_request'));
    expect(await world.records(id)).toBe(0);
    world.server.faults.clear();
    const other = world.somebody();
    await other.scan(await world.code(id));
    await world.customer.reaches(id, 'open');
    expect(await status()).not.toHaveProperty('passkey_required');
  }

  it.each(['sent', 'to_ask_for'] as const)(
    'links once given the passkey (options %s) and can send [passkey.endpoints]',
    async (options) => {
      expect(await asked()).toEqual({ instance_id: id, options: null, expires_at: null, confirmation_code: null });
      const request = await scan({ options });
      const expires_at = new Date(clock.now() + 10 * minuteMs).toISOString();
      expect(await status()).toMatchObject({
        ...{ status: 'connecting', connected: false, qrcode: null, exhausted: false, passkey_required: true },
        passkey: { stage: 'requested', expires_at },
      });
      expect(request).toMatchObject({ challenge: expect.any(String), rpId: 'whatsapp.com', userVerification: 'required' });
      expect(await asked()).toMatchObject({ expires_at, confirmation_code: null });
      expect((await world.customer.call('GET', `/v1/instances/${id}/qr`)).body.error).toMatchObject({
        ...{ code: 'qr_unavailable', message: expect.stringContaining('passkey') },
      });

      const given = await give(phone.authenticator.sign(request));
      expect(given.body.data).toEqual({ instance_id: id, stage: expect.stringMatching(/signed|confirming/) });
      await phone.ceremony.linked;
      await world.customer.reaches(id, 'open');
      expect(await status()).not.toHaveProperty('passkey');
      expect((await world.text(id, world.somebody().number)).status).toBe(200);
      expect(newProblems()).toEqual([]);
    },
  );

  it('links by a typed code, too', async () => {
    await world.code(id);
    const { pairingCode } = (await world.get(id, `qr?phone_number=${phone.number}`)).qrcode;
    world.server.faults.askPasskey(true);
    await expect(phone.enterPairingCode(pairingCode)).rejects.toThrow('passkey');
    await reached('requested');
    await give(phone.authenticator.sign((await asked()).options));
    await phone.ceremony.linked;
    await world.customer.reaches(id, 'open');
    expect(newProblems()).toEqual([]);
  });

  it('replaces the secret once, however often the network asks', async () => {
    const request = await scan({ repeated: true });
    await give(phone.authenticator.sign(request));
    await phone.ceremony.linked;
    expect(newProblems()).toEqual([]);
  });

  it('after five minutes has the code compared, and outlives the codes; the options live for ten [passkey.times]', async () => {
    const request = await scan();
    await clock.advanceAsync(10 * minuteMs - 1);
    expect(await status()).toMatchObject({ passkey: { stage: 'requested' }, exhausted: false });
    await give(phone.authenticator.sign(request));
    await reached('confirming');
    const { confirmation_code, options, expires_at } = await asked();
    expect(confirmation_code).toMatch(/^[1-9A-HJ-NP-TV-Z]{4}-[1-9A-HJ-NP-TV-Z]{4}$/);
    expect(confirmation_code).toBe(await phone.ceremony.code);
    expect([options, expires_at]).toEqual([null, new Date(clock.now() + 2 * minuteMs).toISOString()]);
    expect((await post('/confirm')).body.data).toEqual({ instance_id: id, stage: 'confirming' });
    expect(await post('/confirm')).toMatchObject(refusal(400, 'invalid_request'));
    await phone.ceremony.linked;
    await world.customer.reaches(id, 'open');
    expect(newProblems()).toEqual([]);
  });

  it('a passkey that cannot be right is not sent, and the right one can still be given [passkey.endpoints]', async () => {
    const request = await scan();
    const wrong: [object, string][] = [
      [{ hello: 'world' }, 'credential.toJSON()'],
      [phone.authenticator.sign(request, { origin: 'https://portal.example' }), 'made on another page'],
      [phone.authenticator.sign(request, { rpId: 'example.com' }), 'another site'],
      [phone.authenticator.sign(request, { challenge: 'AAAA' }), 'another request'],
    ];
    for (const [credential, message] of wrong) {
      const refused = await give(credential);
      expect(refused).toMatchObject(refusal(400, 'invalid_request', { field: 'credential' }));
      expect(refused.body.error.message).toContain(message);
    }
    expect(await post('/confirm')).toMatchObject(refusal(400, 'invalid_request'));
    expect(await status()).toMatchObject({ passkey: { stage: 'requested' } });
    await give(phone.authenticator.sign(request));
    await phone.ceremony.linked;
    expect(newProblems()).toEqual([]);
  });

  it('a passkey of somebody else is refused by the network: the attempt is over', async () => {
    const request = await scan();
    expect((await give(world.somebody().authenticator.sign(request))).body.data).toEqual({ instance_id: id, stage: 'failed' });
    expect(newProblems()).toEqual([expect.stringContaining('not of this account')]);
    await failsWith('did not accept the passkey');
  });

  it.each(['assertion', 'nonce', 'pairing_request'] as const)(
    'the network refuses the %s with 400: the attempt is over',
    async (refuse) => {
      const request = await scan({ refuse });
      await give(phone.authenticator.sign(request));
      await failsWith('did not accept the passkey');
    },
  );

  it('nobody gives the passkey: over when the options are [passkey.times]', async () => {
    await scan();
    await clock.advanceAsync(10 * minuteMs);
    await failsWith('Nobody gave the passkey in time.');
  });

  it('the calendar is set by an hour meanwhile: nothing ends early', async () => {
    await scan();
    clock.setCalendar(60 * minuteMs);
    await clock.advanceAsync(minuteMs);
    expect(await status()).toMatchObject({ passkey: { stage: 'requested' } });
    clock.setCalendar(-60 * minuteMs);
  });

  it.each([
    ['assertion', 'signed', 'the phone did not go on within two minutes'],
    ['pairing_request', 'confirming', 'did not finish linking within two minutes'],
  ] as const)('the phone falls silent after the %s: over after two minutes [passkey.times]', async (stall, stage, reason) => {
    const request = await scan({ stall });
    await give(phone.authenticator.sign(request));
    await reached(stage);
    await clock.advanceAsync(2 * minuteMs - 1);
    expect(await status()).toMatchObject({ passkey: { stage } });
    await clock.advanceAsync(1);
    await failsWith(reason);
  });

  it('nobody confirms the code: over after two minutes [passkey.times]', async () => {
    const request = await scan();
    await clock.advanceAsync(6 * minuteMs);
    await give(phone.authenticator.sign(request));
    await reached('confirming');
    await clock.advanceAsync(2 * minuteMs);
    await failsWith('Nobody confirmed the code');
  });

  it.each([
    ['no options at all', { options: 'missing' }, 'did not say which one'],
    ['an answer of the phone that cannot be read', { garbled: true }, 'could not be understood'],
  ] as const)('%s: over', async (_, script, reason) => {
    world.server.faults.askPasskey(script);
    await expect(phone.scan(await world.code(id))).rejects.toThrow('passkey');
    if ('garbled' in script) {
      await reached('requested');
      await give(phone.authenticator.sign((await asked()).options));
    }
    await failsWith(reason);
  });

  it('a logout in the middle ends it, and the log has nothing of the options [passkey.unlogged]', async () => {
    const request = await scan();
    expect((await world.customer.call('DELETE', `/v1/instances/${id}?logout_only=true`)).status).toBe(200);
    expect(await status()).toMatchObject({ status: 'close' });
    const credential = phone.authenticator.sign(request);
    expect(await give(credential)).toMatchObject(refusal(400, 'invalid_request'));
    for (const secret of [request.challenge, credential.rawId, credential.response.signature]) expect(world.logged()).not.toContain(secret);
  });
});
