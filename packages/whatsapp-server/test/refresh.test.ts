import { randomBytes } from 'node:crypto';
import { type BinaryNode, buildAckStanza } from 'baileys';
import { describe, expect, it } from 'vitest';
import { type Client, newCredentials } from './client.ts';
import { createManualClock } from './manual-clock.ts';
import { createWorld } from './world.ts';

/** The client answers the network's wish for a new secret as WhatsApp Web does; `again` is the code that it shows then. */
function refreshing(client: Client, credentials: ReturnType<typeof newCredentials>, code: string, acknowledge = true): Promise<string> {
  return new Promise((resolve) =>
    client.sock.ws.on('CB:notification,type:companion_reg_refresh', (node: BinaryNode) => {
      if (acknowledge) void client.sock.sendNode(buildAckStanza(node));
      const parts = code.split(',');
      credentials.creds.advSecretKey = randomBytes(32).toString('base64');
      resolve([...parts.slice(0, 3), credentials.creds.advSecretKey, ...parts.slice(4)].join(','));
    }),
  );
}

describe('a server that asks for a new secret at each scan', () => {
  const clock = createManualClock();
  const world = createWorld({ strictness: { refreshAtScan: true }, clock });

  it('links only by the code with the new secret', async () => {
    const credentials = newCredentials();
    const first = world.connect(credentials);
    const code = await first.qr();
    const again = refreshing(first, credentials, code);
    const phone = world.server.person(world.number());
    await expect(phone.scan(code)).rejects.toThrow('scan again');
    await expect(phone.scan(code)).rejects.toThrow('whose secret was to be replaced');
    await expect(phone.scan(code.replace(/2@[^,]+/, '2@other'))).rejects.toThrow('no open pairing attempt');
    const scanned = phone.scan(await again);
    expect((await first.closed()).code).toBe(515);
    await world.connect(credentials).opened();
    await scanned;
    expect(world.server.record.problems.at(-1)).toContain('whose secret was to be replaced');
  });

  it('links nothing, and notes it, when the request is not acknowledged within 10 s', async () => {
    const credentials = newCredentials();
    const client = world.connect(credentials);
    const code = await client.qr();
    const again = refreshing(client, credentials, code, false);
    const phone = world.server.person(world.number());
    const before = world.server.record.problems.length;
    const scanned = phone.scan(code, () => again);
    const refused = expect(scanned).rejects.toThrow('did not acknowledge');
    await again;
    await clock.advance(9_999);
    expect(world.server.record.problems).toHaveLength(before);
    await clock.advance(1);
    await refused;
    expect(world.server.record.problems.at(-1)).toContain('companion_reg_refresh was not acknowledged');
  });

  it('is not answered by the library alone (Baileys 7.0.0-rc14 acknowledges nothing before the login)', async () => {
    const client = world.connect(newCredentials());
    const before = world.server.record.problems.length;
    const asked = new Promise((resolve) => client.sock.ws.once('CB:notification,type:companion_reg_refresh', resolve));
    await expect(world.server.person(world.number()).scan(await client.qr())).rejects.toThrow('scan again');
    await asked;
    // Were it to acknowledge, it would have by the time of this answer.
    await client.sock.query({
      tag: 'iq',
      attrs: { to: 's.whatsapp.net', type: 'get', xmlns: 'w:p' },
      content: [{ tag: 'ping', attrs: {} }],
    });
    await clock.advance(10_000);
    expect(world.server.record.problems.slice(before)).toEqual([expect.stringContaining('companion_reg_refresh was not acknowledged')]);
  });

  it('gives a pairing code only to what calls itself a browser on an operating system', async () => {
    const client = world.connect(newCredentials(), { browser: ['Gateway', 'Server', '1'] });
    await client.qr();
    const refused = new Promise((resolve) => client.sock.ws.once('CB:iq,type:error', resolve));
    await client.sock.requestPairingCode(world.number());
    expect(await refused).toMatchObject({ content: [{ attrs: { code: '400' } }] });
  });
});
