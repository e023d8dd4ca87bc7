import { describe, expect, it } from 'vitest';
import { refusal } from '../support/refusal.ts';
import { allowDeletes, refuseDeletes } from '../support/refused-deletes.ts';
import { useGateway } from '../support/use-gateway.ts';

const phone = '491710001300';

describe('an instance that the database does not let go of', () => {
  const { gateway, customer } = useGateway();

  it('can be paired again without a restart, and deleted once the database lets it [delete.database]', async () => {
    const id = await customer.linked(phone);
    const remove = () => customer.call('DELETE', `/v1/instances/${id}`);
    await refuseDeletes(gateway.app.store, 'instances');
    expect(await remove()).toMatchObject(refusal(500, 'internal_error'));

    const { code } = (await customer.call('GET', `/v1/instances/${id}/qr`)).body.data.qrcode;
    await customer.call('POST', '/sandbox/scan', { code, phone_number: phone });
    await customer.reaches(id, 'open');
    expect((await customer.send('text', { instance_id: id, to: '491701234500', text: 'x' })).status).toBe(200);

    expect(await remove()).toMatchObject(refusal(500, 'internal_error'));
    await allowDeletes(gateway.app.store);
    expect((await remove()).body.data).toEqual({ instance_id: id, deleted: true });
    expect(await remove()).toMatchObject(refusal(404, 'instance_not_found'));
  });
});
