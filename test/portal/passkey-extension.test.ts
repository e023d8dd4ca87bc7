import { runInNewContext } from 'node:vm';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/app/base.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';

describe('the browser extension for passkeys', () => {
  const { gateway } = useGateway({ store: 'sqlite' });
  const folder = 'messaging-gateway-passkey/';
  const download = (portal?: string) =>
    fetch(`${gateway.address}/portal/passkey-extension.zip${portal === undefined ? '' : `?portal=${encodeURIComponent(portal)}`}`);
  async function filesFor(portal?: string): Promise<Record<'manifest.json' | 'sign.js' | 'start.js', string>> {
    const answer = await download(portal);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'application/zip',
      'no-store',
    ]);
    const files = unzipSync(await answer.bytes());
    expect(Object.keys(files)).toEqual(['manifest.json', 'sign.js', 'start.js'].map((name) => folder + name));
    const text = (name: string) => strFromU8(files[folder + name] ?? new Uint8Array());
    return { 'manifest.json': text('manifest.json'), 'sign.js': text('sign.js'), 'start.js': text('start.js') };
  }

  /** What the extension of this portal does on WhatsApp's page when a page has opened it with this request. */
  async function opened(portal: string, request: unknown, referrer: string) {
    const { 'start.js': start } = await filesFor(portal);
    const asked: unknown[] = [];
    const location = { hash: `#messaging-gateway-passkey=${encodeURIComponent(JSON.stringify(request))}`, pathname: '/' };
    const history = {
      replaceState() {
        location.hash = '';
      },
    };
    const document = { referrer, readyState: 'interactive' };
    runInNewContext(start, { location, history, document, URL, messagingGatewayPasskey: (one: unknown) => asked.push(one) });
    return { asked, hash: location.hash };
  }

  it('serves the portal that it was downloaded from, and no other site that opens the page with its own address [passkey.portal]', async () => {
    const portal = gateway.address;
    const request = { options: {}, token: 't', portal };
    expect(await opened(portal, request, `${portal}/`)).toEqual({ asked: [{ ...request, portal: `${portal}/passkey` }], hash: '' });
    for (const [asked, referrer] of [
      [{ ...request, portal: 'https://evil.example' }, 'https://evil.example/'],
      [request, 'https://evil.example/'],
      [{ ...request, portal: 'https://evil.example' }, `${portal}/`],
      [{ ...request, portal: `${portal}/` }, `${portal}/`],
      [{ ...request, portal: null }, ''],
      [request, ''],
      [null, `${portal}/`],
    ] as const) {
      // The request stays for the extension of another portal.
      expect(await opened(portal, asked, referrer)).toEqual({ asked: [], hash: expect.stringContaining('messaging-gateway-passkey') });
    }
  });

  it('is made for an own address alone: the one that it is asked at, by either protocol', async () => {
    const { host } = new URL(gateway.address);
    for (const portal of [undefined, `http://${host}`, `https://${host}`]) {
      const { 'manifest.json': text } = await filesFor(portal);
      expect(JSON.parse(text)).toMatchObject({ name: `Passkeys for messaging-gateway (${host})` });
    }
    for (const portal of ['https://evil.example', 'evil', '', `https://${host}.evil.example`, 'null', 'data:,x']) {
      const answer = await download(portal);
      expect({ status: answer.status, body: await answer.json() }).toMatchObject(refusal(400, 'invalid_request', { field: 'portal' }));
    }
  });

  it('asks for one origin, no permission, and is of the version of the program', async () => {
    const manifest = JSON.parse((await filesFor())['manifest.json']);
    expect(manifest).toMatchObject({ manifest_version: 3, version, content_scripts: [{ matches: ['https://web.whatsapp.com/*'] }] });
    for (const more of ['permissions', 'optional_permissions', 'host_permissions', 'optional_host_permissions', 'background'])
      expect(manifest).not.toHaveProperty(more);
  });
});
