import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTerminal, startOfTests, type Terminal } from './world.ts';

const secretKey = { SECRET_KEY: 'ab'.repeat(32) };

describe('gateway alert', () => {
  let terminal: Terminal;
  let account: string;
  beforeAll(async () => {
    terminal = await openTerminal();
    account = (await terminal.json('account', 'create', '--name', 'Acme')).account_id;
  });
  afterAll(() => terminal.dispose());

  const runWith = (env: Record<string, string>, ...words: string[]) =>
    terminal.runIn({ env: { NETWORKS: 'sandbox', DATA_DIR: terminal.database.location, ...secretKey, ...env } }, ...words);
  const ok = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await runWith({ MEDIA_ALLOW_HOSTS: 'hooks.internal' }, ...words);
    expect([exitCode, stderr]).toEqual([0, '']);
    return stdout;
  };
  const json = async (...words: string[]) => JSON.parse(await ok('--json', ...words));

  test('adds, lists, tests, resends and removes', async () => {
    expect(await ok('alert', 'list')).toContain('Nobody is alerted yet.');
    const created = await json(
      'alert',
      'create',
      '--webhook',
      'https://hooks.internal/secret-path',
      '--account',
      account,
      '--conditions',
      'number_needs_person',
      '--quiet',
      '22:00-07:00',
      '--time-zone',
      'Europe/Berlin',
    );
    expect(created).toMatchObject({
      kind: 'webhook',
      address: 'https://hooks.internal/secret-path',
      account_id: account,
      conditions: ['number_needs_person'],
      quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' },
      created_at: new Date(startOfTests).toISOString(),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const id = created.target_id;
    expect(await ok('alert', 'list')).toMatch(
      new RegExp(
        `^webhook +https://hooks\\.internal/secret-path +account ${account} +number_needs_person +22:00-07:00 Europe/Berlin +${id}$`,
        'm',
      ),
    );
    expect(await ok('alert', 'list')).not.toContain('whsec_');
    expect((await json('alert', 'secret', id)).secret).not.toBe(created.secret);
    const { delivery_id } = await json('alert', 'test', id);
    expect(await json('alert', 'deliveries', id)).toMatchObject([{ delivery_id, state: 'waiting', attempts: 0, body: { type: 'test' } }]);
    const early = await runWith({}, 'alert', 'resend', delivery_id);
    expect([early.exitCode, early.stderr]).toEqual([1, 'gateway: it is still being tried\n']);
    await terminal.store.db.updateTable('alert_deliveries').set({ state: 'given_up', next_at: null }).execute();
    expect(await ok('alert', 'resend', delivery_id)).toContain('within seconds');
    expect(await json('alert', 'deliveries', id)).toMatchObject([{ state: 'waiting', next_at: new Date(startOfTests).toISOString() }]);
    expect(await ok('alert', 'remove', id)).toContain('Removed.');
    const audit = await ok('audit');
    // The path of a webhook is often a secret itself.
    expect(audit).toContain('https://hooks.internal');
    expect(audit).not.toContain('secret-path');
  });

  test('a webhook is told what becomes of messages only when that is asked for', async () => {
    const webhook = ['--webhook', 'https://hooks.internal/messages', '--account', account];
    const create = (...words: string[]) => json('alert', 'create', ...webhook, ...words);
    expect(await create()).toMatchObject({ events: [] });
    const { target_id: id, ...created } = await create('--conditions', 'none', '--events', 'message.lost, message.delivered');
    expect(created).toMatchObject({ conditions: [], events: ['message.delivered', 'message.lost'] });
    expect(await json('alert', 'update', id, '--events', 'message.read')).toMatchObject({ conditions: [], events: ['message.read'] });
    expect(await ok('alert', 'list')).toMatch(new RegExp(` message\\.read .*${id}$`, 'm'));
    expect(await json('alert', 'update', id, '--conditions', 'number_restricted', '--events', 'none')).toMatchObject({
      conditions: ['number_restricted'],
      events: [],
    });
    expect(await ok('audit')).toContain('message.delivered, message.lost');
    for (const { target_id } of await json('alert', 'list')) await ok('alert', 'remove', target_id);
  });

  test('makes no secret key: the server may have another one in its settings', async () => {
    const keyless = { SECRET_KEY: '', MEDIA_ALLOW_HOSTS: 'hooks.internal' };
    const line = 'gateway: there is no secret key yet; the first start of the server creates one, or set SECRET_KEY\n';
    const { target_id } = await json('alert', 'create', '--webhook', 'https://hooks.internal/');
    for (const words of [
      ['create', '--webhook', 'https://hooks.internal/other'],
      ['secret', target_id],
    ]) {
      expect(await runWith(keyless, 'alert', ...words)).toEqual({ exitCode: 1, stdout: '', stderr: line });
    }
    expect(readdirSync(terminal.database.location)).not.toContain('secret.key');
    await ok('alert', 'remove', target_id);
  });

  test('adds a mail address for everything', async () => {
    const { target_id } = await json('alert', 'create', '--mail', 'Ops@Example.com');
    expect(await json('alert', 'list')).toMatchObject([
      { target_id, kind: 'mail', address: 'ops@example.com', account_id: null, provider_id: null, quiet_hours: null },
    ]);
    const outcome = await runWith({}, 'alert', 'secret', target_id);
    expect([outcome.exitCode, outcome.stderr]).toEqual([1, 'gateway: a mail address has no secret\n']);
    await ok('alert', 'remove', target_id);
  });

  test('takes the id of a provider as it is typed', async () => {
    const { provider_id } = await terminal.json('provider', 'create', '--name', 'North');
    const target = await json('alert', 'create', '--mail', 'north@example.com', '--provider', provider_id.toUpperCase());
    expect(target).toMatchObject({ provider_id });
    await ok('alert', 'remove', target.target_id);
  });

  test.each([
    ['alert create', 2, 'name either --webhook or --mail'],
    ['alert create --mail a@example.com --webhook https://example.com', 2, 'name either --webhook or --mail'],
    ['alert create --mail nobody', 2, 'is not an e-mail address'],
    [
      'alert create --webhook http://127.0.0.1/',
      2,
      'private, internal or reserved address; hosts of your own network are allowed with MEDIA_ALLOW_HOSTS',
    ],
    ['alert create --webhook ftp://example.com/', 2, 'its scheme is not http or https'],
    ['alert create --mail a@example.com --account 0190a000-0000-7000-8000-000000000000', 1, 'there is no account'],
    ['alert create --mail a@example.com --provider nobody', 1, 'there is no provider nobody'],
    ['alert create --mail a@example.com --conditions nonsense', 2, 'It must be a list of: number_needs_person'],
    ['alert create --mail a@example.com --events message.read', 1, 'only webhooks can get message events'],
    ['alert create --mail a@example.com --conditions none', 1, 'a target needs at least one condition or event'],
    ['alert create --webhook https://example.com/ --events message.sent', 2, 'It must be a list of: message.delivered'],
    ['alert update 0190a000-0000-7000-8000-000000000000', 2, 'name --conditions, --events or both'],
    ['alert update 0190a000-0000-7000-8000-000000000000 --events none', 1, 'there is no alert target'],
    ['alert create --mail a@example.com --quiet 22-7', 1, 'quiet hours must look like 22:00-07:00'],
    ['alert create --mail a@example.com --quiet 22:00-07:00 --time-zone Mars', 1, 'Mars is not a time zone'],
    ['alert create --mail a@example.com --time-zone UTC', 2, '--time-zone is for --quiet'],
    ['alert test 0190a000-0000-7000-8000-000000000000', 1, 'there is no alert target'],
    ['alert resend 0190a000-0000-7000-8000-000000000000', 1, 'there is no delivery'],
    ['alert remove 0190a000-0000-7000-8000-000000000000', 1, 'there is no alert target'],
  ])('%s', async (words, exitCode, message) => {
    const outcome = await runWith({}, ...words.split(' '));
    expect([outcome.exitCode, outcome.stderr.includes(message), outcome.stderr.split('\n').length]).toEqual([exitCode, true, 2]);
    expect(await ok('alert', 'list')).toContain('Nobody is alerted yet.');
  });
});
