import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Customer } from '../support/gateway.ts';
import { refusal } from '../support/refusal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';

const phone = '491710000500';

describe.each(storeKinds)('a number that is scanned twice on %s', (kind) => {
  let customer: Customer;
  let first: string;
  let second: string;
  const { gateway } = useGateway({ store: kind });
  beforeEach(async () => {
    customer = await gateway.customer();
    first = await customer.linked(phone);
    const { instance_id, qrcode } = (await customer.call('POST', '/v1/instances', {})).body.data;
    second = instance_id;
    expect((await customer.call('POST', '/sandbox/scan', { code: qrcode.code, phone_number: phone })).status).toBe(200);
    await refused(second);
  });
  const get = (id: string, rest: string) => customer.call('GET', `/v1/instances/${id}/${rest}`);
  const send = (instance_id: string) => customer.send('text', { instance_id, to: '491701234500', text: 'x' });
  /** Waits until the second link was dropped. */
  const refused = (id: string) =>
    vi.waitFor(() => expect(gateway.session(customer.accountId, id)).toMatchObject({ conflict: true, status: 'close' }));
  const devices = () =>
    gateway.app.store.db.selectFrom('sandbox_devices').select('instance_id').where('account_id', '=', customer.accountId).execute();

  it('keeps working on the old instance; the new link is logged out at once [elsewhere.conflict elsewhere.logged-out]', async () => {
    expect((await get(first, 'status')).body.data).toMatchObject({ status: 'open', phone_number: phone });
    expect((await send(first)).status).toBe(200);
    expect(await send(second)).toMatchObject(refusal(409, 'instance_not_connected'));
    expect(await devices()).toEqual([{ instance_id: first }]);
    const credentials = gateway.app.store.db.selectFrom('credentials').select('name').where('instance_id', '=', second);
    expect(await credentials.execute()).toEqual([]);
    expect((await customer.call('GET', '/v1/instances')).body.data.instances).toMatchObject([
      { instance_id: first, status: 'open', phone_number: phone },
      { instance_id: second, status: 'close', phone_number: null },
    ]);
  });

  it('answers 409 on status and qr-status of the new instance until its next /qr, over a restart too [elsewhere.conflict elsewhere.logged-out]', async () => {
    const conflict = refusal(409, 'number_already_connected');
    for (let poll = 0; poll < 2; poll++) {
      expect(await get(second, 'status')).toMatchObject(conflict);
      expect(await get(second, 'qr-status')).toMatchObject(conflict);
    }
    await gateway.restart();
    expect(await get(second, 'status')).toMatchObject(conflict);
    expect(await get(second, 'qr-status')).toMatchObject(conflict);

    const { qrcode, status } = (await get(second, 'qr')).body.data;
    expect(status).toBe('connecting');
    expect((await get(second, 'status')).body.data).toMatchObject({ status: 'connecting', phone_number: null });
    expect((await get(second, 'qr-status')).body.data).toMatchObject({ status: 'connecting', rotation_count: 1 });
    await customer.call('POST', '/sandbox/scan', { code: qrcode.code, phone_number: '491710000501' });
    await customer.reaches(second, 'open');
    expect((await send(second)).status).toBe(200);
    await customer.reaches(first, 'open');
    expect((await send(first)).status).toBe(200);
  });

  it('may be linked anew once the old instance is logged out [elsewhere.logged-out]', async () => {
    await customer.call('DELETE', `/v1/instances/${first}?logout_only=true`);
    const { qrcode } = (await get(second, 'qr')).body.data;
    await customer.call('POST', '/sandbox/scan', { code: qrcode.code, phone_number: phone });
    await customer.reaches(second, 'open');
    expect((await get(second, 'status')).body.data).toMatchObject({ status: 'open', phone_number: phone });
  });

  it('may be linked on another account [elsewhere.account]', async () => {
    const other = await gateway.customer();
    const third = await other.linked(phone);
    expect((await other.call('GET', `/v1/instances/${third}/status`)).body.data).toMatchObject({ status: 'open', phone_number: phone });
    expect((await send(first)).status).toBe(200);
  });

  it('ends up on exactly one instance when two are scanned at the same moment [elsewhere.logged-out]', async () => {
    const twin = '491710000502';
    const created = await Promise.all([1, 2].map(() => customer.call('POST', '/v1/instances', {})));
    const [a, b] = created.map((answer) => answer.body.data);
    await Promise.all([a, b].map(({ qrcode }) => customer.call('POST', '/sandbox/scan', { code: qrcode.code, phone_number: twin })));
    await vi.waitFor(() => {
      const sessions = [a, b].map(({ instance_id }) => gateway.session(customer.accountId, instance_id));
      expect(sessions.map((session) => session?.status).sort()).toEqual(['close', 'open']);
    }, 60_000);
    const answers = await Promise.all([a, b].map(({ instance_id }) => get(instance_id, 'status')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
