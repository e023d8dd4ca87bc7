import { beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';

describe('pairing', () => {
  const clock = createManualClock();
  let customer: Customer;
  let id: string;
  let code: string;
  const { gateway } = useGateway({ overrides: { clock } });
  beforeEach(async () => {
    customer = await gateway.customer();
    const created = (await customer.call('POST', '/v1/instances', { label: 'Shop' })).body.data;
    id = created.instance_id;
    code = created.qrcode.code;
  });
  const get = (rest: string) => customer.call('GET', `/v1/instances/${id}/${rest}`);
  const scan = (text: string, phone_number: string) => customer.call('POST', '/sandbox/scan', { code: text, phone_number });
  const image = { base64: expect.stringMatching(/^data:image\/png;base64,/), pairingCode: null };
  const exhaust = () => clock.advance(60_000 + 4 * 20_000);

  it('goes from a QR to connected: qr-status then tells connected and the phone number [service.linked instance.number qr.scanned qr-status.data]', async () => {
    expect((await get('qr-status')).body.data).toEqual({
      instance_id: id,
      label: 'Shop',
      status: 'connecting',
      connected: false,
      phone_number: null,
      qrcode: { ...image, code },
      rotation_count: 1,
      rotation_limit: 5,
      exhausted: false,
      source: 'live',
    });
    const scanned = await scan(code, '491710000400');
    expect(scanned.body.data).toEqual({ instance_id: id, phone_number: '491710000400' });
    await customer.reaches(id, 'open');
    expect((await get('qr-status')).body.data).toEqual({
      instance_id: id,
      label: 'Shop',
      status: 'open',
      connected: true,
      phone_number: '491710000400',
      qrcode: null,
      rotation_count: null,
      rotation_limit: 5,
      exhausted: false,
      source: 'live',
    });
  });

  it('answers /qr of a connected number with success and no QR, and changes nothing [qr.connected qr.already-connected qr.data]', async () => {
    await scan(code, '491710000401');
    await customer.reaches(id, 'open');
    const connected = { instance_id: id, status: 'open', connected: true, already_connected: true, qrcode: null };
    for (const rest of ['qr', 'qr?phone_number=491710000401']) {
      const answer = await get(rest);
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual(connected);
    }
    expect((await get('status')).body.data).toMatchObject({ status: 'open', phone_number: '491710000401' });
  });

  it('answers /qr of a running attempt with its current code and does not start over [qr.running]', async () => {
    const running = { instance_id: id, status: 'connecting', connected: false, already_connected: false };
    const first = await get('qr');
    expect(first.status).toBe(200);
    expect(first.body.data).toEqual({ ...running, qrcode: { ...image, code } });
    clock.advance(60_000);
    const second = (await get('qr')).body.data;
    expect(second).toEqual({ ...running, qrcode: { ...image, code: expect.not.stringMatching(code) } });
    expect((await get('qr')).body.data).toEqual(second);
    expect((await get('qr-status')).body.data).toMatchObject({ qrcode: { code: second.qrcode.code }, rotation_count: 2 });
  });

  it('starts an attempt with /qr after a logout, and none with qr-status [qr.attempt qr.no-attempt]', async () => {
    await customer.call('DELETE', `/v1/instances/${id}?logout_only=1`);
    for (let poll = 0; poll < 2; poll++) {
      expect((await get('qr-status')).body.data).toMatchObject({
        status: 'close',
        qrcode: null,
        rotation_count: null,
        rotation_limit: 5,
        exhausted: false,
      });
    }
    const fresh = (await get('qr')).body.data;
    expect(fresh).toMatchObject({ status: 'connecting', qrcode: { ...image } });
    expect(fresh.qrcode.code).not.toBe(code);
    expect((await get('qr-status')).body.data).toMatchObject({ rotation_count: 1 });
  });

  it('rotates the code after 60 s and then every 20 s; a former code links nothing [qr.rotation sandbox.qr]', async () => {
    const codes = [code];
    for (const lifetime of [60_000, 20_000, 20_000, 20_000]) {
      clock.advance(lifetime - 1);
      expect((await get('qr-status')).body.data).toMatchObject({ qrcode: { code: codes.at(-1) }, rotation_count: codes.length });
      clock.advance(1);
      const { qrcode, rotation_count, status } = (await get('qr-status')).body.data;
      expect([rotation_count, status]).toEqual([codes.length + 1, 'connecting']);
      codes.push(qrcode.code);
    }
    expect(new Set(codes).size).toBe(5);
    for (const former of codes.slice(0, -1)) expect(await scan(former, '491710000402')).toMatchObject(refusal(400, 'invalid_request'));
    expect((await scan(codes.at(-1) ?? '', '491710000402')).status).toBe(200);
    await customer.reaches(id, 'open');
  });

  it('is exhausted after the last code, and begins again with /qr [instance.number qr.exhausted qr.begin-again qr.rotation-limit sandbox.qr]', async () => {
    clock.advance(60_000 + 4 * 20_000 - 1);
    const last = (await get('qr-status')).body.data;
    expect(last).toMatchObject({ rotation_count: 5, exhausted: false, status: 'connecting' });
    clock.advance(1);
    await customer.reaches(id, 'close');
    const exhausted = { status: 'close', connected: false, qrcode: null, rotation_count: 5, rotation_limit: 5, exhausted: true };
    // It stays so: only /qr begins again.
    for (let poll = 0; poll < 2; poll++) expect((await get('qr-status')).body.data).toMatchObject(exhausted);
    expect((await get('status')).body.data).toMatchObject({ status: 'close', connected: false, phone_number: null });
    expect(await scan(last.qrcode.code, '491710000403')).toMatchObject(refusal(400, 'invalid_request'));
    const again = await get('qr');
    expect(again.body.data).toMatchObject({ status: 'connecting', already_connected: false });
    expect((await get('qr-status')).body.data).toMatchObject({ status: 'connecting', rotation_count: 1, exhausted: false });
    await scan(again.body.data.qrcode.code, '491710000403');
    await customer.reaches(id, 'open');
  });

  it('forgets an attempt with a restart: close, until the next /qr [qr.no-attempt]', async () => {
    await gateway.restart();
    expect((await get('qr-status')).body.data).toMatchObject({ status: 'close', rotation_count: null, qrcode: null, exhausted: false });
    expect((await get('qr')).body.data.status).toBe('connecting');
  });

  it('gives a pairing code for a phone number, which links that number only, and only on request [qr.fields pairing-code.asked]', async () => {
    const withCode = (await get('qr?phone_number=%2B49%20(171)%200000-404')).body.data;
    expect(withCode).toMatchObject({ status: 'connecting', qrcode: { code, pairingCode: expect.stringMatching(/^[A-Z0-9]{8}$/) } });
    const { pairingCode } = withCode.qrcode;
    expect((await get('qr-status')).body.data.qrcode.pairingCode).toBe(pairingCode);
    clock.advance(60_000);
    expect((await get('qr-status')).body.data).toMatchObject({ rotation_count: 2, qrcode: { pairingCode } });
    expect(await scan(pairingCode, '491710000405')).toMatchObject(refusal(400, 'invalid_request'));
    expect((await scan(pairingCode, '491710000404')).body.data).toEqual({ instance_id: id, phone_number: '491710000404' });
    await customer.reaches(id, 'open');
  });

  it.each(['', '0', '49', 'abc', '0491710000404', '1234567890123456', '491710000404&phone_number=491710000405'])(
    "refuses the pairing code's phone_number=%s [query.unreadable pairing-code.asked]",
    async (phoneNumber) => {
      expect(await get(`qr?phone_number=${phoneNumber}`)).toMatchObject(refusal(400, 'invalid_request', { field: 'phone_number' }));
    },
  );

  it('lets an exhausted attempt begin again with a pairing code at once [pairing-code.asked]', async () => {
    exhaust();
    await customer.reaches(id, 'close');
    expect((await get('qr?phone_number=491710000406')).body.data.qrcode.pairingCode).toMatch(/^[A-Z0-9]{8}$/);
  });

  it('is closed when the phone unlinks: sends are refused, the instance and its number stay, a new scan mends it [unlinked.closed]', async () => {
    await scan(code, '491710000407');
    await customer.reaches(id, 'open');
    expect((await customer.call('POST', '/sandbox/unlink', { phone_number: '491710000407' })).body.data).toEqual({ instance_id: id });
    await customer.reaches(id, 'close');
    expect((await get('status')).body.data).toMatchObject({ status: 'close', connected: false, phone_number: '491710000407' });
    const send = () => customer.send('text', { instance_id: id, to: '491701234500', text: 'x' });
    expect(await send()).toMatchObject(refusal(409, 'instance_not_connected'));
    await scan((await get('qr')).body.data.qrcode.code, '491710000407');
    await customer.reaches(id, 'open');
    expect((await send()).status).toBe(200);
  });

  it('refuses sends of a number that never paired [unpaired.closed]', async () => {
    const send = () => customer.send('text', { instance_id: id, to: '491701234500', text: 'x' });
    expect(await send()).toMatchObject(refusal(409, 'instance_not_connected'));
    exhaust();
    await customer.reaches(id, 'close');
    expect(await send()).toMatchObject(refusal(409, 'instance_not_connected'));
  });
});
