import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe('the app state of an account, over HTTP', () => {
  let world: WhatsAppWorld;
  let numbers = 0;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
  });
  afterAll(() => world?.close());

  /** A number whose history brings no key. */
  async function linked() {
    const sender = world.server.person(String(4915113000000 + numbers++));
    sender.salt = null;
    return { id: await world.linkedNumber(sender.number), sender };
  }

  /** What comes of a first message to somebody. */
  async function outcome(instanceId: string): Promise<string> {
    const friend = world.somebody();
    const { body } = await world.text(instanceId, friend.number);
    if (body.success === false) return body.error.code;
    const { message_id: id } = body.data;
    await friend.nextReceived((message) => message.id === id);
    const { children = [] } = world.server.record.envelopes.find((envelope) => envelope.id === id) ?? {};
    return children.includes('cstoken') ? 'signed' : 'not signed';
  }

  const becomes = (instanceId: string, expected: string) => waitFor(async () => expect(await outcome(instanceId)).toBe(expected));

  it('the nct salt is read once the phone has shared the key of its app state, is followed when it is replaced, and forgotten when it is removed', async () => {
    const { id, sender } = await linked();
    sender.changeSalt(randomBytes(32));
    // It has been notified, and cannot read them yet.
    await world.server.record.until(() => sender.unacknowledged === 0);
    await sender.shareSettingsKey();
    // The first message right after the link waits for it.
    expect(await outcome(id)).toBe('signed');
    // Four changes, more than the network hands out at a time.
    for (let change = 0; change < 3; change++) sender.changeSalt(randomBytes(32), { told: false });
    sender.changeSalt(randomBytes(32));
    await becomes(id, 'signed');
    sender.changeSalt(null);
    await becomes(id, 'invalid_recipient');
    expect((await world.text(id, world.somebody().number)).body.error).toMatchObject({ details: { reason: 'missing_token' } });
  });

  it('the nct salt is kept over a restart, and read at the login of a number that has none', async () => {
    const { id, sender } = await linked();
    sender.changeSalt(randomBytes(32));
    await sender.shareSettingsKey();
    await becomes(id, 'signed');
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    expect(await outcome(id)).toBe('signed');
    sender.changeSalt(null);
    await becomes(id, 'invalid_recipient');
    const salt = randomBytes(32);
    await world.gateway.restart({ whileDown: async () => sender.changeSalt(salt, { told: false }) });
    await world.customer.reaches(id, 'open');
    await becomes(id, 'signed');
    const rows = await world.gateway.app.store.db.selectFrom('credentials').selectAll().where('instance_id', '=', id).execute();
    expect(rows.filter(({ name }) => name.startsWith('app-state-sync-version'))).toEqual([]);
    for (const row of rows) {
      const record = Buffer.from(Object.values(row).find((value) => value instanceof Uint8Array) ?? []);
      for (const secret of [salt, Buffer.from('An old secret')]) expect(record.includes(secret)).toBe(false);
    }
    expect(world.logged()).not.toContain('An old secret');
  });

  it('an app state that cannot be read is logged, and the number goes on', async () => {
    const { id, sender } = await linked();
    await sender.shareSettingsKey();
    world.server.faults.onSettings(sender.number);
    sender.changeSalt(randomBytes(32));
    await waitFor(() => expect(world.logged()).toContain('the nct salt could not be read from the app state'));
    sender.changeSalt(randomBytes(32));
    await becomes(id, 'signed');
  });

  /** The names that the network has learned from the number itself. */
  const names = ({ number }: Person) => world.server.record.presences.flatMap((one) => (one.number === number ? [one.name] : []));

  it('the own name is read once the phone has shared the key, and is followed', async () => {
    const { sender } = await linked();
    sender.changeName('Ada');
    await sender.shareSettingsKey();
    await world.server.record.until(() => names(sender).length === 1);
    // Both in one answer, the first of them in a file.
    sender.changeName('Adele');
    sender.changeName('Grace');
    await world.server.record.until(() => names(sender).at(-1) === 'Grace');
    expect(names(sender)[0]).toBe('Ada');
    expect(world.logged()).not.toContain('Grace');
  });

  it('sends go while the question about the own name is not answered', async () => {
    const sender = world.somebody();
    const id = await world.linkedNumber(sender.number);
    const asked = world.server.faults.silenceName(sender.number);
    await sender.shareSettingsKey();
    await asked;
    expect((await world.text(id, world.somebody().number)).status).toBe(200);
  });

  it('a snapshot that is cut in the middle ends nothing, and is read after the next login', async () => {
    const { record, faults } = world.server;
    const sender = world.somebody();
    const id = await world.linkedNumber(sender.number);
    const failures = () =>
      world
        .logged()
        .split('\n')
        .filter((line) => line.includes('could not be read from the app state') && line.includes(id)).length;
    const before = { failures: failures(), logins: record.logins(sender.number) };
    sender.changeName('Ada');
    // That of the name and that of the nct salt.
    faults.cutDownloads(2);
    await sender.shareSettingsKey();
    await waitFor(() => expect(failures()).toBe(before.failures + 2));
    expect((await world.text(id, world.somebody().number)).status).toBe(200);
    expect(record.logins(sender.number)).toBe(before.logins);
    await faults.end(sender.number, { kind: 'drop' });
    await record.until(() => names(sender).includes('Ada'));
    expect(record.logins(sender.number)).toBe(before.logins + 1);
  });

  it('a message of which the network has no content is acknowledged, and the own phone is not asked for it', async () => {
    const { id, sender } = await linked();
    sender.getsUnavailable(world.somebody().number);
    await world.server.record.until(() => sender.unacknowledged === 0);
    await world.text(id, world.somebody().number);
    expect(world.server.record.envelopes.filter(({ attrs }) => attrs.category === 'peer')).toEqual([]);
  });

  it('nothing was refused as malformed, and no phone failed to decrypt', () => {
    expect(world.server.record.problems).toEqual([]);
  });
});
