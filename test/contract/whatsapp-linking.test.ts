import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, startWhatsAppServer, type WhatsAppServer } from 'whatsapp-test-server';
import { type CommandEnvironment, runCommandLine } from '../../src/cli/index.ts';
import { systemClock } from '../../src/core/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { refusal } from '../support/refusal.ts';
import { anyStore } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';
import { codesOnShow } from '../support/whatsapp-gateway.ts';

describe('a WhatsApp number over HTTP', () => {
  let server: WhatsAppServer;
  let gateway: TestGateway;
  let customer: Customer;
  let id: string;
  let phone: Person;
  let people = 0;
  beforeAll(async () => {
    server = await startWhatsAppServer();
    const env = {
      NETWORKS: 'whatsapp',
      WHATSAPP_WORKERS: '1',
      WHATSAPP_URL: server.url,
      WHATSAPP_ROOT_KEY: server.rootKey,
      WHATSAPP_CA_FILE: server.caFile,
    };
    // Reconnects that would wait up to a second begin at once.
    gateway = await startGateway(anyStore, { env, overrides: { random: () => 0 } });
    server.showsCodes(() => codesOnShow(gateway));
  });
  afterAll(async () => {
    await gateway?.stop();
    await server?.close();
  });
  beforeEach(async () => {
    server.faults.clear();
    customer = await gateway.customer();
    const created = (await customer.call('POST', '/v1/instances', { label: 'Desk' })).body.data;
    expect(created).toMatchObject({ network: 'whatsapp', connected: false });
    id = created.instance_id;
    phone = server.person(`49151200${String(10_000 + people++)}`);
  });
  const get = async (rest: string, instance = id) => (await customer.call('GET', `/v1/instances/${instance}/${rest}`)).body.data;
  const code = (instance = id) =>
    waitFor(async () => {
      const shown: string | undefined = (await get('qr', instance))?.qrcode?.code;
      if (shown === undefined) throw new Error('no code yet');
      return shown;
    });
  const link = async () => {
    await phone.scan(await code());
    await customer.reaches(id, 'open');
  };
  const send = (to: string) => customer.send('text', { instance_id: id, to, text: 'Hello' });

  it('is linked by a scan, sends, and stays linked over a restart [service.linked]', async () => {
    await code();
    const shown = await get('qr-status');
    expect(shown).toMatchObject({ status: 'connecting', phone_number: null, rotation_count: 1, rotation_limit: 6, exhausted: false });
    await link();
    expect(await get('status')).toMatchObject({ status: 'open', connected: true, phone_number: phone.number });
    const friend = server.person('4915130020001');
    const first = await send(friend.number);
    expect(first.body).toMatchObject({ success: true, data: { status: 'sent' } });
    await friend.nextReceived((message) => message.id === first.body.data.message_id);

    await gateway.restart();
    await customer.reaches(id, 'open');
    const second = await send(friend.number);
    const received = await friend.nextReceived((message) => message.id === second.body.data.message_id);
    expect(received).toMatchObject({ from: phone.number, times: 1 });
  });

  it('is linked by a pairing code', async () => {
    await code();
    const { pairingCode } = (await get(`qr?phone_number=${phone.number}`)).qrcode;
    expect(pairingCode).toMatch(/^[A-Z0-9]{8}$/);
    expect((await get(`qr?phone_number=${phone.number}`)).qrcode.pairingCode).toBe(pairingCode);
    await phone.enterPairingCode(pairingCode);
    await customer.reaches(id, 'open');
    expect((await get('status')).phone_number).toBe(phone.number);
  });

  /** Runs `gateway number pair` in a terminal where these lines are pasted when they are asked for. */
  function pairInTerminal(nextLine: CommandEnvironment['nextLine'] = async () => null) {
    let said = '';
    const say = (text: string) => {
      said += text;
    };
    const running = runCommandLine(['number', 'pair', id], {
      env: { ...gateway.settings, PORT: new URL(gateway.address).port },
      ...{
        clock: systemClock,
        isTerminal: false,
        version: '1.2.3',
        stdin: process.stdin,
        stdout: say,
        stderr: say,
        nextLine,
        openStore,
        openMail: () => null,
      },
      resealTwoFactors: () => Promise.reject(new Error('not asked for')),
      serve: () => Promise.reject(new Error('not asked for')),
    });
    return { running, said: () => said };
  }

  it('is linked from the terminal', async () => {
    const { running, said } = pairInTerminal();
    await waitFor(() => expect(said()).toContain('Scan this with the phone'));
    await phone.scan(await code());
    expect(await running).toBe(0);
    expect(said().trimEnd().split('\n').at(-1)).toBe(`Linked: ${phone.number}.`);
  });

  it('is linked from the terminal with a passkey, whose answer is pasted [passkey.portal]', async () => {
    server.faults.askPasskey(true);
    const sign = async () => JSON.stringify(phone.authenticator.sign((await get('passkey')).options));
    const lines = [async () => '', async () => 'half an answ', async () => '{"id":"x"}', sign];
    const { running, said } = pairInTerminal(async () => (await lines.shift()?.()) ?? null);
    await waitFor(() => expect(said()).toContain('Scan this with the phone'));
    await expect(phone.scan(await code())).rejects.toThrow('passkey');
    expect(await running).toBe(0);
    for (const words of ['https://web.whatsapp.com', 'messagingGatewayPasskey({"options":', 'not the whole answer', 'credential.toJSON()'])
      expect(said()).toContain(words);
    expect(said().trimEnd().split('\n').at(-1)).toBe(`Linked: ${phone.number}.`);
  });

  it('tells when the network asks for a passkey, and can be tried again [extensions.passkey]', async () => {
    server.faults.askPasskey(true);
    await expect(phone.scan(await code())).rejects.toThrow();
    await waitFor(async () => expect(await get('qr-status')).toMatchObject({ passkey_required: true, qrcode: null }));
    expect(await get('status')).toMatchObject({ status: 'connecting' });
    expect((await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`)).status).toBe(200);
    server.faults.askPasskey(false);
    await link();
    expect(await get('qr-status')).not.toHaveProperty('passkey_required');
  });

  it('that is connected elsewhere: the new device is unlinked again', async () => {
    await link();
    const second = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    await phone.scan(await code(second));
    await waitFor(async () =>
      expect(await customer.call('GET', `/v1/instances/${second}/status`)).toMatchObject(refusal(409, 'number_already_connected')),
    );
    expect(server.record.logouts).toContain(phone.number);
    expect((await send('4915130020002')).status).toBe(200);
  });

  it('may not start new chats for a while: told in the status and to the sender [extensions.restriction]', async () => {
    await link();
    const until = Math.floor(Date.now() / 1000) + 3600;
    server.faults.restrictReachOut(phone.number, until);
    const restriction = { reason: 'reach_out_blocked', until: new Date(until * 1000).toISOString() };
    await waitFor(async () => expect(await get('status')).toMatchObject({ status: 'open', restriction }));
    expect(await send('4915130020003')).toMatchObject(refusal(422, 'invalid_recipient', restriction));
    server.faults.restrictReachOut(phone.number, null);
    await waitFor(async () => expect(await get('status')).not.toHaveProperty('restriction'));
    expect((await send('4915130020003')).status).toBe(200);
  });

  it('is banned for a while: stays away until the end, then comes back by itself [banned.meanwhile]', async () => {
    await link();
    server.faults.onLogin(phone.number, { code: 402, expireSeconds: 4 });
    await server.faults.end(phone.number, { kind: 'drop' });
    const banned = { status: 'connecting', restriction: { reason: 'temporarily_banned', until: expect.any(String) } };
    await waitFor(async () => expect(await get('status')).toMatchObject(banned));
    const { until } = (await get('status')).restriction;
    server.faults.onLogin(phone.number, null);
    await customer.reaches(id, 'open');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
    expect(await get('status')).not.toHaveProperty('restriction');
  });

  it('whose version is refused is told so, and can be let go without the network [extensions.restriction]', async () => {
    await link();
    server.faults.onLogin(phone.number, { code: 405 });
    await server.faults.end(phone.number, { kind: 'drop' });
    const refused = { status: 'connecting', restriction: { reason: 'version_refused', until: null } };
    await waitFor(async () => expect(await get('status')).toMatchObject(refused));
    expect((await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`)).status).toBe(200);
    // It is the gateway that is too old, whatever number is to be linked.
    expect(await get('status')).toMatchObject({ status: 'close', restriction: { reason: 'version_refused' } });
    server.faults.onLogin(phone.number, null);
    await link();
    expect(await get('status')).not.toHaveProperty('restriction');
  });

  it('is unlinked on the phone, or by the gateway', async () => {
    await link();
    await phone.unlink();
    await customer.reaches(id, 'close');
    expect(await send('4915130020004')).toMatchObject(refusal(409, 'instance_not_connected'));
    await link();
    const before = server.record.logouts.length;
    expect((await customer.call('DELETE', `/v1/instances/${id}`)).status).toBe(200);
    expect(server.record.logouts.slice(before)).toEqual([phone.number]);
    expect(server.record.linked()).not.toContain(phone.number);
  });
});
