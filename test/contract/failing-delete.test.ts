import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/index.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';

const phone = '491710001300';

/** From now on the database refuses to delete instances. */
async function refuseDeletes({ db, dialect }: Store): Promise<void> {
  if (dialect === 'sqlite') {
    await sql`create trigger refuse before delete on instances begin select raise(abort, 'refused'); end`.execute(db);
    return;
  }
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(db);
  await sql`create trigger refuse before delete on instances for each row execute function refuse()`.execute(db);
}

async function allowDeletes({ db, dialect }: Store): Promise<void> {
  await (dialect === 'sqlite' ? sql`drop trigger refuse` : sql`drop function refuse cascade`).execute(db);
}

describe('an instance that the database does not let go of', () => {
  const { gateway, customer } = useGateway();

  it('can be paired again without a restart, and deleted once the database lets it [delete.database]', async () => {
    const id = await customer.linked(phone);
    const remove = () => customer.call('DELETE', `/v1/instances/${id}`);
    await refuseDeletes(gateway.app.store);
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
