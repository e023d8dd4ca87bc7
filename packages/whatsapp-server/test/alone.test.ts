import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import { connect, newCredentials } from './client.ts';
import { jid } from './world.ts';

let child: ChildProcess | null = null;

afterEach(() => {
  child?.kill('SIGKILL');
});

it('runs alone, plays phones on command and cleans up when it ends', async () => {
  const script = join(import.meta.dirname, '../src/main.ts');
  const running = spawn(process.execPath, [script, '--json', '--lenient'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child = running;
  const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? 'null');
  const command = (line: string) => {
    running.stdin.write(`${line}\n`);
    return next();
  };
  const { WHATSAPP_URL: url, WHATSAPP_ROOT_KEY: rootKey, WHATSAPP_CA_FILE: caFile } = await next();
  const server = { url, rootKey, caFile };

  expect(await command('dance')).toMatchObject({ ok: false, reason: expect.stringContaining('unknown command') });
  expect(await command('scan 4915112345678')).toMatchObject({ ok: false, reason: 'usage: scan NUMBER CODE' });
  const credentials = newCredentials();
  const first = connect(server, credentials);
  const scanned = command(`scan 4915112345678 ${await first.qr()}`);
  expect((await first.closed()).code).toBe(515);
  const client = connect(server, credentials);
  await client.opened();
  expect(await scanned).toEqual({ ok: true, result: null });
  const sent = await client.sock.sendMessage(jid('4915112345679'), { text: 'Hello' });
  await client.acked(sent?.key.id ?? '');
  expect(await command('received 4915112345679')).toMatchObject({
    ok: true,
    result: [{ id: sent?.key.id, from: '4915112345678', times: 1 }],
  });
  expect(await command('status')).toMatchObject({ ok: true, result: { connected: ['4915112345678'], messages: 1, problems: [] } });
  await client.stop();

  running.kill('SIGTERM');
  const [code] = await once(running, 'exit');
  expect(code).toBe(0);
  expect(existsSync(caFile)).toBe(false);
});
