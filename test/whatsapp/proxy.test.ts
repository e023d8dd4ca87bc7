import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVault, readProxyAddress } from '../../src/core/index.ts';
import { setProxy } from '../../src/sessions/index.ts';
import { type FileServer, someBytes, startFileServer } from '../support/file-server.ts';
import { type ProxyServer, startHttpProxy, startSocksProxy } from '../support/proxy-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const secretKey = '11'.repeat(32);

describe.each([
  ['SOCKS5', startSocksProxy],
  ['HTTP', startHttpProxy],
] as const)('a number with a proxy (%s)', (_, startProxy) => {
  const me = '4915110000081';
  let world: WhatsAppWorld;
  let files: FileServer;
  let proxy: ProxyServer;
  let id: string;
  beforeAll(async () => {
    [files, proxy] = await Promise.all([startFileServer(), startProxy()]);
    world = await startWhatsAppWorld({ env: { MEDIA_ALLOW_HOSTS: files.allowed, SECRET_KEY: secretKey } });
    id = await world.linkedNumber(me);
  });
  afterAll(async () => {
    await world?.close();
    await Promise.all([files?.close(), proxy?.close()]);
  });

  const set = (address: string | null) => {
    const { store } = world.gateway.app;
    const vault = createVault(Buffer.from(secretKey, 'hex'));
    const read = address === null ? null : readProxyAddress(address);
    return setProxy({ store, vault }, id, read, { actor: { kind: 'command_line' }, now: Date.now() });
  };
  const logins = () => world.server.record.logins(me);
  const server = () => new URL(world.server.url).host;

  it('reconnects through it at once, over restarts too, and transfers files through it', async () => {
    const before = logins();
    await set(proxy.url);
    await world.server.record.until(() => logins() === before + 1);
    await world.customer.reaches(id, 'open');
    expect(proxy.asked).toEqual([server()]);

    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    expect(proxy.asked).toEqual([server(), server()]);

    const friend = world.somebody();
    const url = files.serve('/through', { bytes: someBytes });
    const answer = await world.customer.send('document', { instance_id: id, to: friend.number, url });
    expect(answer.status).toBe(200);
    const received = await friend.nextReceived((message) => message.id === answer.body.data.message_id);
    expect(await received.media()).toEqual(someBytes);
    expect(proxy.asked).toEqual([server(), server(), server()]);

    // The name is in a file on the media server.
    const { record } = world.server;
    world.server.person(me).changeName('Ada');
    await world.server.person(me).shareSettingsKey();
    await record.until(() => record.presences.some(({ number, name }) => number === me && name === 'Ada'));
    expect(proxy.asked.length).toBeGreaterThan(3);
    expect(new Set(proxy.asked)).toEqual(new Set([server()]));
  });

  it('keeps its password to itself', async () => {
    const { db } = world.gateway.app.store;
    const row = await db.selectFrom('instances').select('proxy').where('id', '=', id).executeTakeFirstOrThrow();
    expect(Buffer.from(row.proxy ?? []).includes(proxy.password)).toBe(false);
    const audit = await db.selectFrom('audit_log').selectAll().where('action', '=', 'number.proxy').execute();
    expect(audit).toHaveLength(1);
    expect(JSON.stringify(audit)).not.toContain(proxy.password);
    expect(world.logged()).not.toContain(proxy.password);
    for (const path of ['status', 'qr-status']) expect(JSON.stringify(await world.get(id, path))).not.toContain(proxy.password);
  });

  it('stays away when the proxy cannot be reached, says so, and comes back without it', async () => {
    const before = logins();
    const asked = proxy.asked.length;
    await set('socks5://127.0.0.1:9');
    await waitFor(() => expect(world.logged()).toContain('the proxy of a number cannot be reached'));
    expect(await world.get(id, 'status')).toMatchObject({ status: 'connecting', connected: false });
    expect(logins()).toBe(before);
    await set(null);
    await world.server.record.until(() => logins() > before);
    await world.customer.reaches(id, 'open');
    expect(proxy.asked).toHaveLength(asked);
  });
});
