import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import type { BrowserContext, Page } from 'playwright-core';
import { createTlsFiles, type Person } from 'whatsapp-test-server';
import { launchPersonal } from '../support/chromium.ts';

/** A person's own browser, in which https://web.whatsapp.com is a page of this machine. */
export interface ExtensionBrowser {
  readonly context: BrowserContext;
  /** The paths that were asked for on https://web.whatsapp.com. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** As strict as WhatsApp's own page may be: nothing but its own scripts run on it. */
const policy = "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'";

/** Starts Chromium with the extension of this zip; null: without one. */
export async function openExtensionBrowser(zip: Uint8Array | null): Promise<ExtensionBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'extension-browser-'));
  const tls = createTlsFiles(folder);
  const asked: string[] = [];
  const page = createServer({ key: tls.key, cert: tls.certificate }, (request, response) => {
    asked.push(request.url ?? '');
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy, 'cross-origin-opener-policy': 'same-origin' })
      .end('<!doctype html><title>WhatsApp Web</title><h1>WhatsApp Web</h1>');
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const { publicKey } = new X509Certificate(tls.certificate);
  const pin = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
  const context = await launchPersonal(join(folder, 'profile'), [
    `--host-resolver-rules=MAP web.whatsapp.com 127.0.0.1:${portOf(page)}`,
    // Its certificate counts as valid; with an invalid one browsers refuse passkeys.
    `--ignore-certificate-errors-spki-list=${pin}`,
    ...(zip === null ? [] : loading(unpacked(zip, join(folder, 'extension')))),
  ]);
  context.setDefaultTimeout(10_000);
  return {
    context,
    asked,
    async close() {
      await context.close();
      page.closeAllConnections();
      await new Promise((resolve) => page.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The browser, on this page, has the person's passkey of WhatsApp and gives it without asking further. */
export async function havePasskey(page: Page, person: Person): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await session.send('WebAuthn.addCredential', { authenticatorId, credential: person.authenticator.forBrowser('whatsapp.com') });
}

const loading = (folder: string) => [
  `--disable-extensions-except=${folder}`,
  `--load-extension=${folder}`,
  '--disable-features=DisableLoadExtensionCommandLineSwitch',
];

/** Writes the files of the zip; the folder of the extension in it. */
function unpacked(zip: Uint8Array, to: string): string {
  for (const [name, content] of Object.entries(unzipSync(zip))) {
    const file = join(to, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return join(to, 'messaging-gateway-passkey');
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
