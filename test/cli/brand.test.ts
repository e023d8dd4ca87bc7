import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditOf } from '../support/audit.ts';
import { openTerminal, type Terminal } from './world.ts';

describe('provider brand', () => {
  let terminal: Terminal;
  let id: string;
  beforeEach(async () => {
    terminal = await openTerminal();
    id = (await terminal.json('provider', 'create', '--name', 'North')).provider_id;
  });
  afterEach(() => terminal.dispose());

  const brand = (...words: string[]) => terminal.json('provider', 'brand', id, ...words);
  const nothing = { name: null, colour: null, logo: false, sender_name: null, reply_to: null, mail_intro: null, mail_footer: null };
  const refused = async (...words: string[]) => {
    const { exitCode, stderr } = await terminal.run('provider', 'brand', id, ...words);
    return `${exitCode} ${stderr}`;
  };

  test('shows what there is, changes what is named and leaves the rest', async () => {
    expect(await brand()).toEqual({ provider_id: id, ...nothing, base_address: null, base_confirmed: false });
    await brand('--name', 'North & Sons', '--colour', '#0A7B83', '--reply-to', 'Help@North.example', '--mail-intro', 'Good day,');
    expect(await brand('--sender', 'North')).toMatchObject({
      ...{ name: 'North & Sons', colour: '#0a7b83', sender_name: 'North', reply_to: 'help@north.example', mail_intro: 'Good day,' },
    });
    expect(await brand('--colour', 'none', '--mail-intro', 'none')).toMatchObject({ name: 'North & Sons', colour: null, mail_intro: null });
    const { stdout } = await terminal.run('provider', 'brand', id);
    expect(stdout).toMatch(/^name +North & Sons$/m);
  });

  test('has an address count only when it was confirmed, and a new one be confirmed again', async () => {
    const address = 'https://messages.north.example';
    expect(await brand('--base-address', address)).toMatchObject({ base_address: address, base_confirmed: false });
    expect(await brand('--confirm-base-address')).toMatchObject({ base_confirmed: true });
    expect(await brand('--base-address', 'https://other.north.example')).toMatchObject({ base_confirmed: false });
    await brand('--confirm-base-address');
    expect(await brand('--no-confirm-base-address')).toMatchObject({ base_confirmed: false });
    const south = (await terminal.json('provider', 'create', '--name', 'South')).provider_id;
    const { exitCode, stderr } = await terminal.run('provider', 'brand', south, '--base-address', 'https://other.north.example');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('another provider has this base address')]);
  });

  test('refuses what cannot be used, in one line that says why, and changes nothing', async () => {
    const before = await terminal.dump();
    expect(await refused('--colour', 'blue')).toMatch(/^2 .*colour/s);
    expect(await refused('--reply-to', 'nobody')).toMatch(/^2 .*reply-to/s);
    expect(await refused('--base-address', 'ftp://north.example')).toMatch(/^2 .*base-address/s);
    expect(await refused('--name', 'x'.repeat(500))).toMatch(/^2 .*name/s);
    expect(await terminal.run('provider', 'brand', '00000000-0000-4000-8000-000000000000')).toMatchObject({ exitCode: 1 });
    expect(await terminal.dump()).toEqual(before);
  });

  test('is in the audit log as done on the command line', async () => {
    const entries = await auditOf(terminal.store, async () => {
      await brand('--name', 'North & Sons');
    });
    expect(entries).toMatchObject([{ action: 'provider.brand', actor_kind: 'command_line', provider_id: id }]);
  });
});
