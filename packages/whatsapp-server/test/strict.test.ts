import { createHmac, randomBytes } from 'node:crypto';
import { type BinaryNode, signedKeyPair } from 'baileys';
import { describe, expect, it } from 'vitest';
import { strict } from '../src/strictness.ts';
import type { Client } from './client.ts';
import { createWorld, jid } from './world.ts';

// Stanzas that the gateway never writes, and what the network says to them. Nothing in them is encrypted; only their recipients would notice.
const world = createWorld({ strictness: { ...strict, refreshAtScan: false } });
const bucketSeconds = 604_800;
const now = () => Math.floor(Date.now() / 1000);

describe('a device of a migrated account', () => {
  let number: string;
  let client: Client;
  async function linked() {
    number = world.number();
    ({ client } = await world.link(number));
  }
  const lid = (of: string) => `${world.server.person(of).lid}@lid`;

  /** The code with which a message to these devices, with these further parts, is refused. */
  async function sent(to: string, options: { devices?: readonly string[]; attrs?: Record<string, string>; parts?: BinaryNode[] } = {}) {
    const { devices = [to], attrs = {}, parts = [] } = options;
    const id = `3EB0${randomBytes(9).toString('hex').toUpperCase()}`;
    const enc = { tag: 'enc', attrs: { v: '2', type: 'msg' }, content: randomBytes(48) };
    const participants = {
      tag: 'participants',
      attrs: {},
      content: devices.map((device) => ({ tag: 'to', attrs: { jid: device }, content: [enc] })),
    };
    await client.sock.sendNode({ tag: 'message', attrs: { id, to, type: 'text', ...attrs }, content: [participants, ...parts] });
    return (await client.acked(id)).error;
  }
  const given = (token: Buffer): BinaryNode => ({ tag: 'tctoken', attrs: {}, content: token });
  const signed = (to: string, salt: Buffer): BinaryNode => ({
    tag: 'cstoken',
    attrs: {},
    content: createHmac('sha256', salt).update(to).digest(),
  });
  function salt(): Buffer {
    const known = world.server.person(number).salt;
    if (known === null) throw new Error('the account has no key for tokens');
    return known;
  }

  it('is refused when it mixes phone numbers and LIDs (400), or writes to a phone number (463)', async () => {
    await linked();
    const friend = world.number();
    const parts = [signed(lid(friend), salt())];
    expect(await sent(lid(friend), { parts })).toBeUndefined();
    expect(await sent(lid(friend), { devices: [lid(friend), jid(number)], parts })).toBe('400');
    expect(await sent(lid(friend), { devices: [jid(friend)], parts })).toBe('400');
    expect(await sent(lid(number), { attrs: { recipient: jid(friend) }, parts })).toBe('400');
    expect(await sent(jid(friend), { parts })).toBe('463');
  });

  it('is told no devices of a phone number', async () => {
    await linked();
    const friend = world.number();
    expect(await client.sock.getUSyncDevices([jid(friend)], false, false)).toEqual([]);
    expect(await client.sock.getUSyncDevices([lid(friend)], false, false)).toHaveLength(1);
    world.server.person(number).is({ migrated: false });
    expect(await client.sock.getUSyncDevices([jid(friend)], false, false)).toHaveLength(1);
  });

  it('is refused without a token (463), also when it sends a message again, and with one that is forged or has expired', async () => {
    await linked();
    const friend = world.number();
    const to = lid(friend);
    const fresh = await world.server.person(friend).giveToken(number);
    const expired = await world.server.person(friend).giveToken(number, { at: now() - 5 * bucketSeconds });
    expect(await sent(to, { parts: [given(fresh)] })).toBeUndefined();
    expect(await sent(to, { parts: [signed(to, salt())] })).toBeUndefined();
    for (const parts of [[], [given(expired)], [given(randomBytes(32))], [signed(to, randomBytes(32))], [signed(lid(number), salt())]]) {
      expect(await sent(to, { parts })).toBe('463');
    }
    const again = { device_fanout: 'false' };
    expect(await sent(to, { attrs: again })).toBe('463');
    // Now it is refused because it was never sent before.
    expect(await sent(to, { attrs: again, parts: [given(fresh)] })).toBe('479');
  });

  it('is refused with a token on a message to its own phone about housekeeping (479), and accepted without', async () => {
    await linked();
    const attrs = { category: 'peer' };
    expect(await sent(lid(number), { attrs })).toBeUndefined();
    expect(await sent(lid(number), { attrs, parts: [given(randomBytes(32))] })).toBe('479');
    expect(await sent(lid(number), { attrs, parts: [signed(lid(number), salt())] })).toBe('479');
  });

  it('is refused a LID while the account has not migrated (400)', async () => {
    await linked();
    world.server.person(number).is({ migrated: false });
    const friend = world.number();
    const parts = [signed(lid(friend), salt())];
    expect(await sent(lid(friend), { parts })).toBe('400');
    expect(await sent(jid(friend), { parts })).toBeUndefined();
  });

  it('may not replace its signed pre-key by one that it has not signed (406), nor by another of the same id (409)', async () => {
    await linked();
    const { creds } = client.sock.authState;
    const rotate = (id: number, key: Uint8Array, signature: Uint8Array) => {
      const parts = [
        { tag: 'id', attrs: {}, content: Buffer.from([0, 0, id]) },
        { tag: 'value', attrs: {}, content: key },
        { tag: 'signature', attrs: {}, content: signature },
      ];
      const skey = { tag: 'skey', attrs: {}, content: parts };
      const attrs = { to: '@s.whatsapp.net', type: 'set', xmlns: 'encrypt' };
      return client.sock.query({ tag: 'iq', attrs, content: [{ tag: 'rotate', attrs: {}, content: [skey] }] });
    };
    await world.server.record.until(() => world.server.person(number).unacknowledged === 0);
    const { keyPair, signature } = creds.signedPreKey;
    await expect(rotate(2, randomBytes(32), signature)).rejects.toMatchObject({ data: 406 });
    const other = signedKeyPair(creds.signedIdentityKey, 1);
    await expect(rotate(1, other.keyPair.public, other.signature)).rejects.toMatchObject({ data: 409 });
    await expect(rotate(1, keyPair.public, signature)).resolves.toMatchObject({ attrs: { type: 'result' } });
    await expect(rotate(2, other.keyPair.public, other.signature)).resolves.toMatchObject({ attrs: { type: 'result' } });
  });
});
