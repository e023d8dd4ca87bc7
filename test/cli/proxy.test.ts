import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditOf } from '../support/audit.ts';
import { openTerminal, type Terminal } from './world.ts';

const secret = { SECRET_KEY: '22'.repeat(32) };
let terminal: Terminal;
let id: string;
beforeAll(async () => {
  terminal = await openTerminal();
  const { account_id } = await terminal.json('account', 'create', '--name', 'Acme');
  id = '0198c0de-0000-7000-8000-000000000001';
  await terminal.store.db
    .insertInto('instances')
    .values({ id, account_id, network: 'whatsapp', linked: 0, conflict: 0, created_at: terminal.now })
    .execute();
});
afterAll(() => terminal.dispose());

const proxy = async (...words: string[]) => {
  const { exitCode, stdout, stderr } = await terminal.runIn({ env: secret }, 'number', 'proxy', id, ...words, '--json');
  return exitCode === 0 ? JSON.parse(stdout) : stderr;
};

it('sets a proxy, shows it without its password, and takes it away', async () => {
  expect(await proxy()).toEqual({ instance_id: id, proxy: null });
  expect(await proxy('socks5://me:hidden@proxy.example.com:1085')).toEqual({ instance_id: id, proxy: 'socks5://proxy.example.com:1085' });
  expect(await proxy()).toEqual({ instance_id: id, proxy: 'socks5://proxy.example.com:1085' });
  expect(await proxy('http://10.0.0.1')).toEqual({ instance_id: id, proxy: 'http://10.0.0.1:8080' });
  expect(await proxy('HTTP://me:hidden@10.0.0.1:80/')).toEqual({ instance_id: id, proxy: 'http://10.0.0.1:80' });
  expect(await proxy('none')).toEqual({ instance_id: id, proxy: null });
  expect(JSON.stringify(await terminal.dump())).not.toContain('hidden');
  const audit = await terminal.json('audit', '--action', 'number.proxy').catch(() => terminal.json('audit'));
  expect(JSON.stringify(audit)).toContain('socks5://proxy.example.com:1085');
});

it('leaves no row in the audit log when it changes nothing', async () => {
  await proxy('socks5://me:hidden@proxy.example.com:1085');
  const entries = await auditOf(terminal.store, async () => {
    await proxy('socks5://me:hidden@proxy.example.com:1085');
    await proxy('socks5://me:changed@proxy.example.com:1085');
    await proxy('none');
    await proxy('none');
  });
  const shown = 'socks5://proxy.example.com:1085';
  expect(entries.map(({ details }) => details)).toEqual([{ proxy: { from: shown, to: shown } }, { proxy: { from: shown, to: null } }]);
});

it('makes no secret key: the server may have another one in its settings', async () => {
  const keyless = (...words: string[]) => terminal.run('number', 'proxy', id, ...words);
  const refused = {
    exitCode: 1,
    stdout: '',
    stderr: 'gateway: there is no secret key yet; the first start of the server creates one, or set SECRET_KEY\n',
  };
  expect(await keyless()).toEqual({ exitCode: 0, stdout: 'No proxy.\n', stderr: '' });
  expect(await keyless('http://10.0.0.1')).toEqual(refused);
  await proxy('http://10.0.0.1');
  expect(await keyless()).toEqual(refused);
  expect(readdirSync(terminal.database.location)).not.toContain('secret.key');
  expect(await proxy('none')).toEqual({ instance_id: id, proxy: null });
});

it.each(['ftp://host:1', 'host:1080', 'socks5://', 'http://host/path', 'socks4://host:1'])(
  'refuses %s in one clear line',
  async (address) => {
    expect(await proxy(address)).toContain('a proxy must be socks5://host:port or http://host:port');
  },
);
