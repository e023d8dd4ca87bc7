import { beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '../support/gateway.ts';
import { refusal } from '../support/refusal.ts';
import { anyStore } from '../support/run-options.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';

/** A word in lower case, upper case, and two mixtures. */
const everySpelling = (word: string) => [
  ...new Set([word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1), word.slice(0, -1) + word.slice(-1).toUpperCase()]),
];

describe.each(storeKinds)('deleting and disconnecting on %s', (kind) => {
  let customer: Customer;
  const { gateway } = useGateway({ store: kind });
  // Words are read before any statement, so their spellings are tried on one store.
  const spellings = (word: string) => (kind === anyStore ? everySpelling(word) : [word]);
  beforeEach(async () => {
    customer = await gateway.customer();
  });
  const remove = (id: string, query = '') => customer.call('DELETE', `/v1/instances/${id}${query}`);
  const status = async (id: string) => (await customer.call('GET', `/v1/instances/${id}/status`)).body.data;
  const create = async (): Promise<{ instance_id: string; qrcode: { code: string } }> =>
    (await customer.call('POST', '/v1/instances', {})).body.data;
  const credentials = (id: string) => gateway.app.store.db.selectFrom('credentials').select('name').where('instance_id', '=', id).execute();
  const scan = (code: string, phone_number: string) => customer.call('POST', '/sandbox/scan', { code, phone_number });

  it.each(['true', '1', 'yes', 'on'].flatMap(spellings))(
    'logout_only=%s disconnects and keeps the instance [delete.logout delete.yes]',
    async (value) => {
      const id = await customer.linked('491710000300');
      const answer = await remove(id, `?logout_only=${value}`);
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({ instance_id: id, status: 'close', disconnected: true });
      expect(await status(id)).toMatchObject({ instance_id: id, status: 'close', connected: false });
    },
  );

  it.each(['false', '0', 'no', 'off'].flatMap(spellings))('logout_only=%s deletes [delete.no]', async (value) => {
    const { instance_id } = await create();
    const answer = await remove(instance_id, `?logout_only=${value}`);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ instance_id, deleted: true });
    expect(await remove(instance_id)).toMatchObject(refusal(404, 'instance_not_found'));
  });

  it.each([
    '?logout_only',
    '?logout_only=',
    '?logout_only=%20',
    '?logout_only=2',
    '?logout_only=-1',
    '?logout_only=01',
    '?logout_only=y',
    '?logout_only=n',
    '?logout_only=t',
    '?logout_only=truthy',
    '?logout_only=true%20',
    '?logout_only=+true',
    '?logout_only=%22true%22',
    '?logout_only=null',
    '?logout_only=undefined',
    '?logout_only=constructor',
    '?logout_only=__proto__',
    '?logout_only=true,true',
    '?logout_only=true&logout_only=true',
    '?logout_only=false&logout_only=false',
    '?logout_only=true&logout_only=false',
    '?logout_only[]=true',
    '?logout_only.x=true',
    '?logoutOnly=true',
    '?logout-only=true',
    '?logoutonly=true',
    '?logout=true',
    '?LOGOUT_ONLY=true',
    '?Logout_Only=true',
    '?%20logout_only=true',
    '?logout_only%20=true',
    '?log_out_only=true',
    '?disconnect=true',
    '?x=1',
    '?__proto__=true',
    '?logout_only=true&x=1',
    '?logout_only=true&logoutOnly=true',
  ])('%s is refused and changes nothing [delete.parameter query.unreadable]', async (query) => {
    const id = await customer.linked('491710000301');
    expect(await remove(id, query)).toMatchObject(refusal(400, 'invalid_request'));
    expect(await status(id)).toMatchObject({ status: 'open', phone_number: '491710000301' });
    expect(await credentials(id)).not.toEqual([]);
  });

  it('without the parameter deletes: 404 everywhere, gone from the list and from the store, the code worthless [delete.removed delete.default delete.both]', async () => {
    const id = await customer.linked('491710000302');
    expect(await credentials(id)).not.toEqual([]);
    const answer = await remove(id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ instance_id: id, deleted: true });
    const gone = refusal(404, 'instance_not_found');
    for (const rest of ['/status', '/qr', '/qr-status'])
      expect(await customer.call('GET', `/v1/instances/${id}${rest}`)).toMatchObject(gone);
    expect(await customer.call('PATCH', `/v1/instances/${id}`, { label: 'x' })).toMatchObject(gone);
    expect(await remove(id)).toMatchObject(gone);
    expect(await remove(id, '?logout_only=true')).toMatchObject(gone);
    expect(await customer.send('text', { instance_id: id, to: '491701234500', text: 'x' })).toMatchObject(gone);
    expect(await customer.call('POST', '/v1/numbers/check', { instance_id: id, numbers: ['491701234500'] })).toMatchObject(gone);
    expect((await customer.call('GET', '/v1/instances')).body.data.instances).toEqual([]);
    expect(await credentials(id)).toEqual([]);
    // The phone no longer shows the gateway as linked either.
    expect(await customer.call('POST', '/sandbox/unlink', { phone_number: '491710000302' })).toMatchObject(gone);
  });

  it('stays deleted over a restart [delete.removed]', async () => {
    const { instance_id } = await create();
    await remove(instance_id);
    await gateway.restart();
    expect((await customer.call('GET', '/v1/instances')).body.data.instances).toEqual([]);
  });

  it('ends a running pairing attempt when it deletes [delete.both]', async () => {
    const { instance_id, qrcode } = await create();
    await remove(instance_id);
    expect(await scan(qrcode.code, '491710000303')).toMatchObject(refusal(400, 'invalid_request'));
    expect((await customer.call('GET', '/v1/instances')).body.data.instances).toEqual([]);
  });

  it('answers two deletes at once without an error of its own [delete.both]', async () => {
    const id = await customer.linked('491710000304');
    const answers = await Promise.all([remove(id), remove(id), remove(id, '?logout_only=true')]);
    for (const answer of answers) expect([200, 404]).toContain(answer.status);
    expect(answers.some((answer) => answer.body.data?.deleted === true)).toBe(true);
    expect((await customer.call('GET', '/v1/instances')).body.data.instances).toEqual([]);
  });

  it('logout_only removes the credentials, and a send is then refused until a person scans again [delete.logout]', async () => {
    const id = await customer.linked('491710000305');
    await remove(id, '?logout_only=true');
    expect(await credentials(id)).toEqual([]);
    const body = { instance_id: id, to: '491701234500', text: 'x' };
    expect(await customer.send('text', body)).toMatchObject(refusal(409, 'instance_not_connected'));
    const { qrcode } = (await customer.call('GET', `/v1/instances/${id}/qr`)).body.data;
    await scan(qrcode.code, '491710000305');
    await customer.reaches(id, 'open');
    expect((await customer.send('text', body)).status).toBe(200);
  });

  it('logout_only on an instance that is not open answers the same 200 and ends a running attempt [logout.any]', async () => {
    const { instance_id, qrcode } = await create();
    for (let time = 0; time < 2; time++) {
      const answer = await remove(instance_id, '?logout_only=true');
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({ instance_id, status: 'close', disconnected: true });
    }
    expect(await scan(qrcode.code, '491710000306')).toMatchObject(refusal(400, 'invalid_request'));
    expect((await customer.call('GET', `/v1/instances/${instance_id}/qr-status`)).body.data).toMatchObject({
      status: 'close',
      qrcode: null,
      rotation_count: null,
      exhausted: false,
    });
  });

  it('keeps the phone number after a logout, over a restart too, and changes it with another number [number.kept]', async () => {
    const id = await customer.linked('491710000307');
    await remove(id, '?logout_only=true');
    expect(await status(id)).toMatchObject({ status: 'close', phone_number: '491710000307' });
    await gateway.restart();
    expect(await status(id)).toMatchObject({ status: 'close', phone_number: '491710000307' });
    const { qrcode } = (await customer.call('GET', `/v1/instances/${id}/qr`)).body.data;
    expect(await status(id)).toMatchObject({ status: 'connecting', phone_number: '491710000307' });
    await scan(qrcode.code, '491710000308');
    await customer.reaches(id, 'open');
    expect(await status(id)).toMatchObject({ status: 'open', phone_number: '491710000308' });
  });
});
