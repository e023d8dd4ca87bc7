import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { markMoved } from '../../src/store/sqlite/moved.ts';
import { readSecretKey } from '../../src/vault/index.ts';
import { madeBefore } from '../store/other-releases.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createTestDatabase } from '../support/stores.ts';
import { openTerminal, type Terminal } from './world.ts';

describe('gateway backup and restore', () => {
  let gateway: TestGateway;
  let customer: Customer;
  let number: string;
  let terminal: Terminal;
  let folder: string;
  let file: string;
  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
    number = await customer.linked('491710001600');
    terminal = await openTerminal();
  });
  afterAll(async () => {
    await terminal?.dispose();
    await gateway?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true });
    folder = mkdtempSync(join(tmpdir(), 'gateway-backup-'));
    file = join(folder, 'backup.db');
  });

  const keyFile = () => join(gateway.dataDir, 'secret.key');
  const backup = () => terminal.runIn({ env: { DATA_DIR: gateway.dataDir } }, 'backup', file);
  const restoreInto = (to: string, env: Record<string, string> = {}) => terminal.runIn({ env: { DATA_DIR: to, ...env } }, 'restore', file);
  /** A new data folder, with the secret key of the gateway. */
  function emptyFolder(): string {
    const to = mkdtempSync(join(folder, 'data-'));
    copyFileSync(keyFile(), join(to, 'secret.key'));
    return to;
  }
  const said = (message: string) => ({ exitCode: 1, stdout: '', stderr: expect.stringContaining(message) });

  it('a copy of a running server, put into an empty folder, is the same gateway: its numbers connect and its keys replay', async () => {
    const body = { instance_id: number, to: '491701230160', text: 'before the backup' };
    const headers = { 'idempotency-key': 'before-1042' };
    const before = await customer.send('text', body, headers);
    expect(await backup()).toEqual({
      exitCode: 0,
      stdout: `Written to ${file}. The secret key is not in it: keep that somewhere else.\n`,
      stderr: '',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await customer.send('text', { ...body, text: 'after the backup' }, { 'idempotency-key': 'after-1042' });
    const to = emptyFolder();
    expect(await restoreInto(to)).toMatchObject({ exitCode: 0, stderr: '' });
    const restored = await startGateway('sqlite', { copyOf: to });
    try {
      const there = restored.existing(customer);
      await there.reaches(number, 'open');
      const again = await there.send('text', body, headers);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body.data).toEqual(before.body.data);
      expect((await there.received('491701230160')).map((message) => message.content.text)).toEqual(['before the backup']);
    } finally {
      await restored.stop();
    }
  });

  it('a backup overwrites nothing, and leaves nothing behind when it fails', async () => {
    writeFileSync(file, 'mine');
    expect(await backup()).toEqual(said(`${file} already exists`));
    rmSync(file);
    expect(await terminal.runIn({ env: { DATA_DIR: join(folder, 'elsewhere') } }, 'backup', file)).toEqual(said('there is no database at'));
    writeFileSync(`${file}.partial`, '');
    expect(await backup()).toEqual(said(`${file}.partial exists`));
    rmSync(`${file}.partial`);
    expect(await terminal.runIn({ env: { DATA_DIR: gateway.dataDir } }, 'backup', join(folder, 'no', 'folder.db'))).toEqual(
      said('cannot be written'),
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a restore needs an empty folder that no server uses', async () => {
    await backup();
    expect(await restoreInto(gateway.dataDir)).toEqual(said('another gateway server'));
    const to = emptyFolder();
    await restoreInto(to);
    expect(await restoreInto(to)).toEqual(said('gateway.db already exists'));
  });

  it('a restore needs the key of the backup, when numbers are linked', async () => {
    await backup();
    const to = mkdtempSync(join(folder, 'data-'));
    expect(await restoreInto(to)).toEqual(said('need their secret key: set SECRET_KEY, or put it into'));
    expect(readdirSync(to)).not.toContain('secret.key');
    expect(await restoreInto(to, { SECRET_KEY: 'ab'.repeat(32) })).toEqual(said('encrypted with a different key from SECRET_KEY'));
    expect(existsSync(join(to, 'gateway.db'))).toBe(false);
    expect(existsSync(join(to, 'gateway.db.partial'))).toBe(false);
  });

  it('what a restore makes belongs to the owner of the folder, as whom the server runs, also when root restores', async () => {
    await backup();
    // Anybody but root can only restore into a folder of their own.
    const owner = process.getuid?.() === 0 ? 12_345 : process.getuid?.();
    if (owner === undefined) throw new Error('this system has no users');
    const to = mkdtempSync(join(folder, 'data-'));
    chownSync(to, owner, -1);
    expect(await restoreInto(to, { SECRET_KEY: readFileSync(keyFile(), 'utf8').trim() })).toMatchObject({ exitCode: 0 });
    readSecretKey({ secretKey: null, dataDir: to });
    const owners = readdirSync(to).map((name) => [name, statSync(join(to, name)).uid]);
    expect(owners.toSorted()).toEqual(['gateway.db', 'secret.key', 'server.lock'].map((name) => [name, owner]));
    // A backup stays root's, whoever's folder it is in.
    chownSync(folder, owner, -1);
    rmSync(file);
    await backup();
    expect(statSync(file).uid).toBe(process.getuid?.());
  });

  it('a restore refuses what is damaged or no backup', async () => {
    const to = emptyFolder();
    writeFileSync(file, 'not a database, but long enough to be looked at'.repeat(100));
    expect(await restoreInto(to)).toEqual(said('is not a backup of a gateway, or is damaged'));
    rmSync(file);
    expect(await restoreInto(to)).toEqual(said(`there is no file ${file}`));
    await backup();
    truncateSync(file, statSync(file).size / 2);
    expect(await restoreInto(to)).toMatchObject({ exitCode: 1 });
    const before = await createTestDatabase('sqlite', { empty: true });
    await madeBefore(before);
    copyFileSync(join(before.location, 'gateway.db'), file);
    await before.dispose();
    expect(await restoreInto(to)).toEqual(said('made before version 0.1.0; the last commit that can use it is'));
    expect(existsSync(join(to, 'gateway.db'))).toBe(false);
  });

  it('a folder whose installation was moved is neither backed up nor restored into', async () => {
    await backup();
    const to = emptyFolder();
    expect(await restoreInto(to)).toMatchObject({ exitCode: 0 });
    markMoved(to, '127.0.0.1:5432/gateway');
    const line =
      /^gateway: the installation in \S+ was moved to PostgreSQL \(127\.0\.0\.1:5432\/gateway\): set DATABASE_URL; to go back [^\n]+\n$/;
    const late = join(folder, 'late.db');
    const refused = { exitCode: 1, stdout: '', stderr: expect.stringMatching(line) };
    expect(await terminal.runIn({ env: { DATA_DIR: to } }, 'backup', late)).toEqual(refused);
    expect(readdirSync(folder)).not.toContain('late.db');
    rmSync(join(to, 'gateway.db'));
    expect(await restoreInto(to)).toEqual(refused);
  });

  it('with DATABASE_URL they name the tools of PostgreSQL', async () => {
    const env = { DATABASE_URL: 'postgres://localhost/gateway' };
    expect(await terminal.runIn({ env }, 'backup', file)).toEqual(said(`pg_dump --format=custom --file=${file}`));
    expect(await terminal.runIn({ env }, 'restore', file)).toEqual(said('pg_restore'));
  });
});
