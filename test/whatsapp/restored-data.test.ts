import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { refusal } from '../support/refusal.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe('a data folder that is not as the gateway left it', () => {
  let world: WhatsAppWorld;
  let phone: Person;
  let id: string;
  beforeEach(async () => {
    // Its data is a folder that can be copied.
    world = await startWhatsAppWorld({ store: 'sqlite' });
    phone = world.somebody();
    id = await world.linkedNumber(phone.number);
  });
  afterEach(() => world?.close());

  it('is an older copy: numbers come back, and recipients whose sessions went on since then get what is sent', async () => {
    const friend = world.somebody();
    await world.text(id, friend.number, 'before the backup');
    const copy = await world.backup();
    await world.customer.reaches(id, 'open');
    await friend.send(phone.number, 'an answer, which moves the session on');
    await world.server.record.until(() => world.server.record.receipts.length > 0);
    for (const text of ['one', 'two', 'three']) await world.text(id, friend.number, text);

    const { gateway, customer } = await world.secondGateway(copy);
    try {
      await customer.reaches(id, 'open');
      for (const recipient of [friend, world.somebody()]) {
        const answer = await customer.send('text', { instance_id: id, to: recipient.number, text: 'after the restore' });
        expect(answer.status).toBe(200);
        await recipient.nextReceived(({ message }) => message.conversation === 'after the restore');
      }
    } finally {
      await gateway.stop();
    }
  });

  it('has flipped bytes in the credentials of one number: that one says so and keeps them, the others go on', async () => {
    const other = world.somebody();
    const otherId = await world.linkedNumber(other.number);
    const before = await world.records(id);
    const flip = (bytes: Buffer) => Buffer.from(bytes.map((byte, place) => (place === bytes.length - 1 ? byte ^ 1 : byte)));
    await world.gateway.restart({
      async whileDown({ db }) {
        const { sealed } = await db
          .selectFrom('credentials')
          .select('sealed')
          .where('instance_id', '=', id)
          .where('name', '=', 'creds')
          .executeTakeFirstOrThrow();
        await db
          .updateTable('credentials')
          .set({ sealed: flip(sealed) })
          .where('instance_id', '=', id)
          .where('name', '=', 'creds')
          .execute();
      },
    });
    await world.customer.reaches(otherId, 'open');
    expect((await world.text(otherId, world.somebody().number)).status).toBe(200);
    expect(await world.get(id, 'status')).toMatchObject({ status: 'connecting', phone_number: phone.number });
    expect(await world.text(id, world.somebody().number)).toMatchObject(refusal(502, 'upstream_unavailable'));
    expect(world.logged()).toContain('a link could not be started');
    expect(await world.records(id)).toBe(before);
    expect(world.server.record.linked()).toContain(phone.number);
  });

  it('is sealed with a key that is lost: its numbers are disconnected and deleted without WhatsApp, and can be scanned again', async () => {
    const deleted = await world.linkedNumber(world.somebody().number);
    await world.gateway.restart({ env: { SECRET_KEY: 'b2'.repeat(32) } });
    const { customer, server } = world;
    const logouts = [...server.record.logouts];
    // A try to log in that ends at this moment answers 502.
    const remove = (path: string) => waitFor(async () => expect((await customer.call('DELETE', `/v1/instances/${path}`)).status).toBe(200));
    await remove(deleted);
    await remove(`${id}?logout_only=true`);
    expect(await world.records(deleted)).toBe(0);
    expect(await world.records(id)).toBe(0);
    expect(server.record.logouts).toEqual(logouts);
    await phone.scan(await world.code(id));
    await customer.reaches(id, 'open');
  });
});
