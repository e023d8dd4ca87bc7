import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVault, newId } from '../../src/core/index.ts';
import { sealedOfNumbers } from '../../src/sessions/index.ts';
import { reseal, type Store } from '../../src/store/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { joinInstallation, secretKeyCheck } from '../../src/vault/installation.ts';
import { endOtherKeys, openVault } from '../../src/vault/keys.ts';
import { chosenSeed, createSeeded } from '../faults/seeded.ts';
import { builtFile } from '../faults/server-process.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock, hurriedBy, type ManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, openBrowser, type SignedIn } from '../support/portal.ts';
import { storeKinds } from '../support/stores.ts';
import { authenticator } from '../support/totp.ts';
import { type Outcome, openTerminal, type Terminal } from './world.ts';

const [first, second, third, wrong] = ['11', '22', '33', '99'].map((byte) => byte.repeat(32)) as [string, string, string, string];
const otherKey =
  'this is not the secret key of the installation (SECRET_KEY, or secret.key in DATA_DIR); give every server the same one, after a rotation the new one';
const oldKey =
  'SECRET_KEY is still the old key: set it to the new one (or put that into secret.key in DATA_DIR), restart every server with it, and run this again; without the new key, run gateway secret rotate --cancel';

describe.each(storeKinds)('gateway secret rotate on %s', (kind) => {
  let terminal: Terminal;
  let gateway: TestGateway;
  let customer: Customer;
  let number: string;
  let keyClock: ManualClock;
  let place: Record<string, string>;
  beforeEach(async () => {
    terminal = await openTerminal();
    keyClock = createManualClock();
    place = {};
    gateway = await startGateway(kind, {
      env: { SECRET_KEY: first },
      overrides: { keyClock },
      databaseUrl: (url) => {
        place.DATABASE_URL = url;
        return url;
      },
    });
    place.DATA_DIR = gateway.dataDir;
    customer = await gateway.customer();
    number = await customer.linked();
  });
  afterEach(async () => {
    await gateway?.stop();
    await terminal?.dispose();
  });

  /** Its waits are over when running servers have looked for new keys. */
  const command = (env: Record<string, string>, ...words: string[]): Promise<Outcome> =>
    terminal.runIn({ env: { DATA_DIR: '', ...place, ...env }, openStore, clock: hurriedBy(keyClock) }, ...words);
  const rotate = (from: string, to: string) => command({ SECRET_KEY: from, NEW_SECRET_KEY: to }, 'secret', 'rotate');
  const finish = (key: string) => command({ SECRET_KEY: key }, 'secret', 'rotate', '--finish');
  const said = (line: string) => ({ exitCode: 1, stdout: '', stderr: `gateway: ${line}\n` });
  const done = expect.objectContaining({ exitCode: 0, stderr: '' });
  const { store } = { store: () => gateway.app.store };

  const keyed = (key: string, to = '491701230170', text = 'once') =>
    customer.send('text', { instance_id: number, to, text }, { 'idempotency-key': key });
  /** The numbers of the keys that credentials are sealed with. */
  async function keyNumbers(): Promise<number[]> {
    const rows = await store().db.selectFrom('credentials').select('sealed').execute();
    return [...new Set(rows.map(({ sealed }) => sealed[0] ?? 0))].sort();
  }
  async function startsWith(secretKey: string) {
    await gateway.restart({ env: { SECRET_KEY: secretKey } });
    await customer.reaches(number, 'open');
  }

  it('a running server goes on; retries are replayed, and unknown outcomes keep their message id, before and after every step', async () => {
    const before = await keyed('before-rotation');
    // Delivered, and its acknowledgement lost.
    const unknown = () => keyed('unknown-outcome', '491701230004');
    expect((await unknown()).status).toBe(502);
    async function expectSame() {
      const again = await keyed('before-rotation');
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
      expect(again.body.data).toEqual(before.body.data);
      expect((await customer.send('text', { instance_id: number, to: '491701230171', text: 'new' })).status).toBe(200);
    }
    expect(await keyNumbers()).toEqual([1]);
    expect(await rotate(first, second)).toEqual(done);
    expect(await keyNumbers()).toEqual([2]);
    await expectSame();
    expect((await unknown()).status).toBe(200);
    expect(await customer.received('491701230004')).toHaveLength(1);
    const other = await customer.linked();
    expect(await keyNumbers()).toEqual([2]);

    await startsWith(first);
    await expectSame();
    await startsWith(second);
    await expectSame();
    expect(await finish(second)).toEqual(done);
    await expectSame();
    await startsWith(second);
    await customer.reaches(other, 'open');
    await expectSame();
  });

  it('both keys are good until it is finished, then only the new one, and another one never', async () => {
    expect(await finish(first)).toEqual(said('there is no rotation under way; start one with NEW_SECRET_KEY and gateway secret rotate'));
    expect(await rotate(first, second)).toEqual(done);
    expect(await rotate(wrong, third)).toEqual(said(otherKey));
    expect(await rotate(first, third)).toEqual(said('the previous rotation is not finished: run gateway secret rotate --finish first'));
    expect(await finish(wrong)).toEqual(said(otherKey));
    expect(await finish(first)).toEqual(said(oldKey));
    for (const good of [first, second]) await startsWith(good);
    // Run again, it goes on where it was.
    expect(await rotate(first, second)).toEqual(done);
    expect(await keyNumbers()).toEqual([2]);
    expect(await finish(second)).toEqual(done);
    await startsWith(second);
    // A server that was started before goes on, while another one is not let in with the old key.
    for (const bad of [first, wrong]) {
      await expect(openVault(store().db, Buffer.from(bad, 'hex'))).rejects.toThrow(otherKey);
      expect(await rotate(bad, third)).toEqual(said(otherKey));
    }
    expect(await rotate(second, third)).toEqual(done);
    expect(await keyNumbers()).toEqual([3]);
    await startsWith(third);
    expect(await finish(second)).toEqual(said(oldKey));
    expect(await finish(third)).toEqual(done);
    await expect(gateway.restart({ env: { SECRET_KEY: second } })).rejects.toThrow(otherKey);
    await startsWith(third);
    // Back to the first one, which is the new one then.
    expect(await rotate(third, first)).toEqual(done);
    expect(await finish(third)).toEqual(said(oldKey));
    expect(await finish(first)).toEqual(done);
  });

  it('the first rotation is finished with the new key only, also when it began before rows said which key is replaced', async () => {
    expect(await rotate(first, second)).toEqual(done);
    const own = createVault(Buffer.from(first, 'hex'));
    const context = 'keys of the installation';
    const name = `keys ${secretKeyCheck(Buffer.from(first, 'hex'))}`;
    const row = await store().db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirstOrThrow();
    const { replaced, ...before } = JSON.parse(own.open(Buffer.from(row.value, 'base64'), context).toString());
    expect(replaced).toBe(true);
    const value = own.seal(Buffer.from(JSON.stringify(before)), context).toString('base64');
    await store().db.updateTable('meta').set({ value }).where('name', '=', name).execute();
    expect(await finish(first)).toEqual(said(oldKey));
    expect(await finish(second)).toEqual(done);
  });

  it('a rotation whose new key was lost is given up with the old key, and another one begins', async () => {
    const cancel = (key: string) => command({ SECRET_KEY: key }, 'secret', 'rotate', '--cancel');
    expect(await cancel(first)).toEqual(said('there is no rotation under way; start one with NEW_SECRET_KEY and gateway secret rotate'));
    const before = await keyed('before-rotation');
    expect(await rotate(first, second)).toEqual(done);
    const newKey = said('SECRET_KEY is the new key already: a rotation is given up with the old one');
    expect(await cancel(second)).toEqual(newKey);
    expect(await rotate(second, first)).toEqual(newKey);
    expect(await cancel(first)).toEqual(done);
    await startsWith(first);
    await expect(gateway.restart({ env: { SECRET_KEY: second } })).rejects.toThrow(otherKey);
    expect(await rotate(first, third)).toEqual(done);
    expect(await finish(first)).toEqual(said(oldKey));
    expect(await finish(third)).toEqual(done);
    await startsWith(third);
    expect((await keyed('before-rotation')).body.data).toEqual(before.body.data);
  });

  it('finished and given up at once, it is one of them', async () => {
    expect(await rotate(first, second)).toEqual(done);
    const ended = await Promise.allSettled([
      endOtherKeys(store(), Buffer.from(second, 'hex'), 'new'),
      endOtherKeys(store(), Buffer.from(first, 'hex'), 'old'),
    ]);
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await store().db.selectFrom('meta').select('name').where('name', 'like', 'keys %').execute()).toHaveLength(1);
  });

  it('asks for a new key, and for the one that the numbers were sealed with', async () => {
    const ask = 'set NEW_SECRET_KEY to the new key: 64 hex digits (32 bytes), for example from: openssl rand -hex 32';
    expect(await command({ SECRET_KEY: first }, 'secret', 'rotate')).toEqual(said(ask));
    expect(await rotate(first, 'short')).toEqual(said(ask));
    expect(await rotate(first, first)).toEqual(said('NEW_SECRET_KEY is the key already in use'));
    expect((await rotate(wrong, second)).stderr).toContain('encrypted with a different key from SECRET_KEY');
    expect((await rotate('', second)).stderr).toContain('the linked numbers need their secret key');
    expect(await store().db.selectFrom('meta').select('name').where('name', 'like', 'keys %').execute()).toEqual([]);
    // What else is sealed from the command line, as with a proxy that the server could not read.
    for (const words of [
      ['number', 'proxy', number, 'http://10.0.0.1'],
      ['alert', 'create', '--webhook', 'https://hooks.internal/'],
    ]) {
      const sealing = (key: string) => command({ SECRET_KEY: key, MEDIA_ALLOW_HOSTS: 'hooks.internal' }, ...words);
      expect((await sealing(wrong)).stderr).toContain('encrypted with a different key from SECRET_KEY');
      expect((await sealing('')).stderr).toContain('the linked numbers need their secret key');
    }
    expect(existsSync(join(gateway.dataDir, 'secret.key'))).toBe(false);
  });

  it('knows every column that holds sealed values', async () => {
    const tables = await store().db.introspection.getTables();
    const binary = tables.flatMap(({ name, columns }) =>
      columns.filter(({ dataType }) => /^(blob|bytea)$/i.test(dataType)).map((column) => `${name}.${column.name}`),
    );
    // What is added here is in sealedOfNumbers or sealedOfTargets, or is not sealed, as the files of the sandbox and logos.
    expect(binary.sort()).toEqual([
      'alert_targets.previous_secret',
      'alert_targets.secret',
      'brand_logos.png',
      'credentials.sealed',
      'instances.proxy',
      'sandbox_files.bytes',
      'sent_messages.sealed',
    ]);
  });

  it('does not undo what a server writes between the reading of a value and its sealing anew', async () => {
    await rotate(first, second);
    const before = createVault(Buffer.from(first, 'hex'));
    const records = ['a', 'b'].map((name) => ({
      instance_id: number,
      name,
      sealed: before.seal(Buffer.from('old'), `credentials ${number} ${name}`),
    }));
    await store().db.insertInto('credentials').values(records).execute();
    const vault = await openVault(store().db, Buffer.from(second, 'hex'));
    const written = vault.seal(Buffer.from('new'), `credentials ${number} a`);
    const write = () => store().db.updateTable('credentials').set({ sealed: written }).where('name', '=', 'a').execute();
    // The rows have been read when its transaction begins.
    const overtaken: Store = {
      ...store(),
      dialect: 'sqlite',
      async transaction(work) {
        await write();
        return store().transaction(work);
      },
    };
    await reseal(overtaken, vault, sealedOfNumbers);
    const rows = await store().db.selectFrom('credentials').selectAll().where('name', 'in', ['a', 'b']).orderBy('name').execute();
    expect(rows.map(({ name, sealed }) => vault.open(sealed, `credentials ${number} ${name}`).toString())).toEqual(['new', 'old']);
    expect(rows.map(({ sealed }) => sealed[0])).toEqual([2, 2]);
  });

  it('reads what is sealed anew already in small parts, so that no statement takes long in a large database', async () => {
    await rotate(first, second);
    const vault = await openVault(store().db, Buffer.from(second, 'hex'));
    const before = createVault(Buffer.from(first, 'hex'));
    const records = Array.from({ length: 450 }, (_, n) => {
      const name = `record ${1000 + n}`;
      return { instance_id: number, name, sealed: (n < 449 ? vault : before).seal(Buffer.from(name), `credentials ${number} ${name}`) };
    });
    await store().db.insertInto('credentials').values(records).execute();
    const read: number[] = [];
    const db = store().db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        read.push(result.rows.length);
        return result;
      },
    });
    const columns = sealedOfNumbers.filter(({ table }) => table === 'credentials');
    expect(await reseal({ ...store(), db }, vault, columns)).toEqual({ resealed: 1, unreadable: 0 });
    const rows = await store().db.selectFrom('credentials').select('sealed').execute();
    expect(new Set(rows.map(({ sealed }) => sealed[0]))).toEqual(new Set([2]));
    expect([Math.max(...read), read.reduce((sum, count) => sum + count, 0)]).toEqual([200, rows.length]);
  });

  it('several servers know the installation by either key', async () => {
    const bytes = (hex: string) => Buffer.from(hex, 'hex');
    const id = await joinInstallation(store(), bytes(first));
    await rotate(first, second);
    expect(await joinInstallation(store(), bytes(first))).toBe(id);
    expect(await joinInstallation(store(), bytes(second))).toBe(id);
    await expect(joinInstallation(store(), bytes(wrong))).rejects.toThrow(otherKey);
    await finish(second);
    expect(await joinInstallation(store(), bytes(second))).toBe(id);
    await expect(openVault(store().db, bytes(first))).rejects.toThrow(otherKey);
  });

  it('a proxy stays set, and a server that has not looked for the new key yet reads what was sealed with it', async () => {
    const early = await openVault(store().db, Buffer.from(first, 'hex'));
    const proxy = (key: string, ...words: string[]) => command({ SECRET_KEY: key }, 'number', 'proxy', number, ...words, '--json');
    expect(await proxy(first, 'socks5://user:password@127.0.0.1:9')).toEqual(done);
    await rotate(first, second);
    const rows = await store().db.selectFrom('credentials').selectAll().execute();
    const [row] = rows;
    if (row === undefined) throw new Error('nothing is linked');
    expect(() => early.open(row.sealed, `credentials ${row.instance_id} ${row.name}`)).toThrow('unknown key version 2');
    await early.ready(rows.map(({ sealed }) => sealed));
    expect(early.open(row.sealed, `credentials ${row.instance_id} ${row.name}`)).toBeInstanceOf(Buffer);
    await finish(second);
    expect(JSON.parse((await proxy(second)).stdout)).toEqual({ instance_id: number, proxy: 'socks5://127.0.0.1:9' });
  });

  it('people sign in again, with the same two-factor app and backup codes', async () => {
    const person: SignedIn = await memberOf(gateway, customer.accountId);
    const post = (browser: ReturnType<typeof openBrowser>, name: string, body: object) =>
      browser.call('POST', `/portal/auth/two-factor/${name}`, { body });
    const { data } = expectOk(await post(person, 'enable', { password: person.password })).body;
    const nextCode = authenticator(data.totp_uri);
    expectOk(await post(person, 'verify-totp', { code: nextCode() }));
    const stored = () => store().db.selectFrom('user_two_factors').select(['secret', 'backup_codes']).executeTakeFirstOrThrow();
    const before = await stored();
    await rotate(first, second);
    const after = await stored();
    expect(after.secret).toMatch(/^\$ba\$2\$/);
    expect(after.backup_codes).toMatch(/^\$ba\$2\$/);
    expect(before.secret).not.toContain('$');
    expect((await person.call('GET', '/portal/api/session')).status).toBe(401);
    async function signsIn(name: string, code: string) {
      const browser = openBrowser(gateway);
      expect((await browser.signIn(person.email, person.password)).body.data).toEqual({ two_factor: true });
      expectOk(await post(browser, name, { code }));
      expectOk(await browser.call('GET', '/portal/api/session'));
    }
    await signsIn('verify-totp', nextCode());
    await startsWith(second);
    expect(await finish(second)).toEqual(done);
    await signsIn('verify-backup-code', data.backup_codes[0]);
    await rotate(second, third);
    await startsWith(third);
    await signsIn('verify-backup-code', data.backup_codes[1]);
  });

  it('killed at any moment, every value can be opened with either key, and the next run ends it', async () => {
    const seeded = createSeeded(chosenSeed());
    const vault = createVault(Buffer.from(first, 'hex'));
    const plain = (name: string) => Buffer.from(`plain ${name}`);
    const names = Array.from({ length: 1000 }, () => `record ${newId()}`);
    for (let from = 0; from < names.length; from += 500) {
      const rows = names
        .slice(from, from + 500)
        .map((name) => ({ instance_id: number, name, sealed: vault.seal(plain(name), `credentials ${number} ${name}`) }));
      await store().db.insertInto('credentials').values(rows).execute();
    }
    async function expectReadable(...keys: string[]) {
      const rows = await store().db.selectFrom('credentials').selectAll().where('name', 'like', 'record %').execute();
      expect(rows).toHaveLength(names.length);
      for (const key of keys) {
        const known = await openVault(store().db, Buffer.from(key, 'hex'));
        for (const { name, sealed } of rows) expect(known.open(sealed, `credentials ${number} ${name}`)).toEqual(plain(name));
      }
    }
    const sealedAnew = async () => {
      const counting = store()
        .db.selectFrom('credentials')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where(sql`substr(sealed, 1, 1)`, '=', Buffer.of(2));
      return (await counting.executeTakeFirstOrThrow()).count;
    };
    for (let kill = 0; kill < 3; kill++) {
      const enough = Math.max(await sealedAnew(), 1) + seeded.below(230);
      const child = spawn(process.execPath, [builtFile, 'secret', 'rotate'], {
        env: { PATH: process.env.PATH, ...place, SECRET_KEY: first, NEW_SECRET_KEY: second, NODE_NO_WARNINGS: '1' },
        stdio: 'ignore',
      });
      const ended = once(child, 'close');
      try {
        await expect.poll(sealedAnew).toBeGreaterThanOrEqual(Math.min(enough, names.length));
      } finally {
        child.kill('SIGKILL');
      }
      expect(await ended, `seed ${seeded.seed}`).toEqual([null, 'SIGKILL']);
      await expectReadable(first, second);
    }
    expect(await rotate(first, second)).toEqual(done);
    expect(await keyNumbers()).toEqual([2]);
    expect(await finish(second)).toEqual(done);
    await expectReadable(second);
  });
});
