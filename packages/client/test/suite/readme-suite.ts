import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, type RunningGateway, startGateway } from '../gateway.ts';
import { DrivenClient, type Driver } from './driver.ts';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

interface Language {
  /** The package with its README. */
  readonly folder: string;
  /** The file that its users copy. */
  readonly library: string;
  /** How its blocks of code are marked. */
  readonly mark: string;
  /** The words that run a file. */
  readonly run: (file: string) => readonly [string, ...string[]];
  /** The words that serve what the file answers, which names the port 8080. */
  readonly serve: (file: string, port: number) => readonly [string, ...string[]];
  readonly start: () => Driver;
}

/** The examples of a client's README, each run as a program beside the file that it uses. */
export function readmeSuite({ folder, library, mark, run, serve, start }: Language): void {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(new RegExp(`\`\`\`${mark}\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) => code);
  const names = ['first', 'never', 'errors', 'many', 'pairing', 'webhooks'];
  let place: string;
  let server: RunningGateway;
  let driver: Driver;
  let env: Record<string, string>;

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'client-readme-'));
    copyFileSync(join(folder, library), join(place, basename(library)));
    for (const [index, name] of names.entries()) writeFileSync(join(place, name), blocks[index] ?? '');
    // As a new user has it: numbers are WhatsApp's unless they say otherwise.
    server = await startGateway({ NETWORKS: 'whatsapp,sandbox', WHATSAPP_VERSION_URL: '' });
    const key = await server.account(1000);
    driver = start();
    await (await DrivenClient.open(driver, { base_url: server.address, api_key: key })).linkedInstance('4930901824');
    env = { PATH: process.env.PATH ?? '', GATEWAY_URL: server.address, GATEWAY_KEY: key, WEBHOOK_SECRET: secret };
  });
  afterAll(async () => {
    await driver?.stop();
    await server?.stop();
    rmSync(place, { recursive: true, force: true });
  });

  /** What an example prints. */
  async function printed(name: string): Promise<string> {
    const [program, ...words] = run(join(place, name));
    const { stdout } = await promisify(execFile)(program, words, { env, cwd: place });
    return stdout;
  }

  describe('the examples of the README', () => {
    test('send and link, and there are no others', async () => {
      expect(blocks).toHaveLength(names.length);
      expect(await printed('first')).toMatch(/^\w+ sent\n$/);
      expect(await printed('never')).toMatch(/^true\n?$/i);
      expect(await printed('errors')).toMatch(/^skip this recipient: to must be/);
      const [none, ...many] = (await printed('many')).split('\n').toSorted();
      expect(none).toBe('');
      expect(many).toEqual([expect.stringMatching(/^c-17 \w{8,}$/), expect.stringMatching(/^c-18 \w{8,}$/)]);
      expect(await printed('pairing')).toBe('linked: 4930901820\n');
    });

    test('take webhooks', async () => {
      const port = await freePort();
      const file = join(place, 'webhooks');
      writeFileSync(file, readFileSync(file, 'utf8').replace('8080', String(port)));
      const [program, ...words] = serve(file, port);
      const child = spawn(program, words, { env, cwd: place, stdio: ['ignore', 'pipe', 'pipe'] });
      try {
        const body = JSON.stringify({ type: 'messages', timestamp: '', data: { events: [{ event: 'message.read', message_id: 'A' }] } });
        const at = new Date();
        const deliver = (signature: string) =>
          fetch(`http://127.0.0.1:${port}`, {
            ...{ method: 'POST', body },
            headers: { 'webhook-id': '1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': signature },
          }).then(({ status }) => status);
        await expect.poll(() => deliver('v1,none').catch(() => null), { timeout: 10_000 }).toBe(400);
        const line = outputWith(child, 'message.read A');
        expect(await deliver(new Webhook(secret).sign('1', at, body))).toBe(204);
        await line;
      } finally {
        child.kill();
      }
    });
  });
}

/** Resolves once the process has printed this, wherever. */
function outputWith({ stdout, stderr }: ChildProcess, text: string): Promise<void> {
  let all = '';
  return new Promise((resolve) => {
    for (const stream of [stdout, stderr]) {
      stream?.on('data', (part) => {
        all += String(part);
        if (all.includes(text)) resolve();
      });
    }
  });
}
