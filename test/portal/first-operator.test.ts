import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import { type ServerProcess, startServer } from '../faults/server-process.ts';
import { openBrowser } from '../support/portal.ts';
import { ToldSecrets } from '../support/told-secrets.ts';

let dataDir = '';
let server: ServerProcess | null = null;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gateway-first-operator-'));
});
afterEach(async () => {
  await server?.terminate();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts the gateway as an operator would; where it serves, and the link it prints, if it prints one. */
async function start(): Promise<{ address: string; link: string | undefined }> {
  await server?.terminate();
  server = startServer({ DATA_DIR: dataDir });
  const address = await server.ready;
  return { address, link: /(http\S+\/link\/\S+)/.exec(server.stdout())?.[1] };
}

it('gateway serve prints a link that makes the first operator, once, and none when there is one [start.portal]', async () => {
  const secrets = new ToldSecrets();
  const first = await start();
  const second = await start();
  const tokens = [first, second].map(({ address, link }) => {
    expect(link).toMatch(new RegExp(`^${address}/link/[\\w-]{43}$`));
    return link?.split('/').at(-1) ?? '';
  });
  const password = 'a password of mine';
  const use = (token: string, email: string) =>
    openBrowser({ address: second.address, secrets }).call('POST', `/portal/api/links/${token}`, {
      body: { email, name: 'Ada', password },
    });
  const [old = '', fresh = ''] = tokens;
  // A new start ends the link of the one before, which stands in some old log.
  expect(outcome(await use(old, 'ada@example.com'))).toBe('410 link_expired');
  expect(outcome(await use(fresh, 'ada@example.com'))).toBe('200');
  expect(outcome(await use(fresh, 'eve@example.com'))).toBe('410 link_expired');

  const third = await start();
  expect(third.link).toBeUndefined();
  const ada = openBrowser({ address: third.address, secrets });
  expect(outcome(await ada.signIn('ada@example.com', password))).toBe('200');
  const session = await ada.call('GET', '/portal/api/session');
  expect(session.body.data.memberships).toEqual([{ role: 'operator', provider_id: null, account_id: null }]);
  expect(outcome(await openBrowser({ address: third.address, secrets }).signIn('eve@example.com', password))).toBe('401 sign_in_failed');
});
