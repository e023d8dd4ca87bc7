import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { freePort, type RunningGateway, startGateway } from './gateway.ts';
import { linkedInstance } from './linked.ts';

const run = promisify(execFile);
const here = fileURLToPath(new URL('..', import.meta.url));
// The version that this repository checks with; it takes a fraction of the time.
const compiler = join(here, '../../node_modules/typescript/bin/tsc');
const [first, never, errors, many, pairing, webhooks, ...more] = [
  ...readFileSync(join(here, 'README.md'), 'utf8').matchAll(/```ts\n(.*?)```/gs),
].map(([, code = '']) => code);
const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

let folder: string;
let server: RunningGateway;
let env: Record<string, string>;

/** A program that has installed the package as it is published. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'client-readme-'));
  const library = join(folder, 'node_modules', 'messaging-gateway-client');
  mkdirSync(library, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(library, 'package.json'), readFileSync(join(here, 'package.json')));
  await run(process.execPath, [compiler, '-p', join(here, 'tsconfig.build.json'), '--outDir', join(library, 'dist')]);
  mkdirSync(join(folder, 'node_modules', '@types'));
  symlinkSync(join(here, '../../node_modules/@types/node'), join(folder, 'node_modules', '@types', 'node'));
  symlinkSync(join(here, '../../node_modules/undici-types'), join(folder, 'node_modules', 'undici-types'));
  for (const [name, code] of Object.entries({ first, never, errors, many, pairing, webhooks }))
    writeFileSync(join(folder, `${name}.ts`), code ?? '');
  // As a new user has it: numbers are WhatsApp's unless they say otherwise.
  server = await startGateway({ NETWORKS: 'whatsapp,sandbox', WHATSAPP_VERSION_URL: '' });
  const key = await server.account(1000);
  await linkedInstance(new Gateway({ baseUrl: server.address, apiKey: key }), '4930901824');
  env = { PATH: process.env.PATH ?? '', GATEWAY_URL: server.address, GATEWAY_KEY: key, WEBHOOK_SECRET: secret, NODE_NO_WARNINGS: '1' };
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What an example prints. */
async function printed(name: string): Promise<string> {
  const { stdout } = await run(process.execPath, [join(folder, `${name}.ts`)], { env });
  return stdout;
}

describe('the examples of the README, with the package as it is published,', () => {
  test('compile strictly, and there are no others', async () => {
    expect(more).toEqual([]);
    const compilerOptions = {
      ...{ target: 'es2022', module: 'nodenext', types: ['node'], strict: true, noUncheckedIndexedAccess: true },
      ...{ exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false, moduleDetection: 'force' },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });

  test('send and link', async () => {
    expect(await printed('first')).toMatch(/^\w+ sent\n$/);
    expect(await printed('never')).toBe('true\n');
    expect(await printed('errors')).toMatch(/^skip this recipient: to must be/);
    expect((await printed('many')).split('\n').toSorted()).toEqual([
      '',
      expect.stringMatching(/^c-17 \w{8,}$/),
      expect.stringMatching(/^c-18 \w{8,}$/),
    ]);
    expect(await printed('pairing')).toBe('linked: 4930901820\n');
  });

  test('take webhooks', async () => {
    const port = await freePort();
    writeFileSync(join(folder, 'webhooks.ts'), (webhooks ?? '').replace('8080', String(port)));
    const child = spawn(process.execPath, [join(folder, 'webhooks.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const body = JSON.stringify({ type: 'messages', timestamp: '', data: { events: [{ event: 'message.read', message_id: 'A' }] } });
      const at = new Date();
      const headers = { 'webhook-id': '1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)) };
      const deliver = (signature: string) =>
        fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers: { ...headers, 'webhook-signature': signature } });
      await expect
        .poll(
          () =>
            deliver('v1,none').then(
              ({ status }) => status,
              () => null,
            ),
          { timeout: 10_000 },
        )
        .toBe(400);
      const line = once(child.stdout, 'data');
      expect((await deliver(new Webhook(secret).sign('1', at, body))).status).toBe(204);
      expect(String((await line)[0])).toBe('message.read A\n');
    } finally {
      child.kill();
    }
  });
});
