import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OperatorError } from '../../src/core/index.ts';
import { openTerminal, type Terminal } from './world.ts';

let terminal: Terminal;
let account: string;
let before: Awaited<ReturnType<Terminal['dump']>>;
beforeAll(async () => {
  terminal = await openTerminal();
  account = (await terminal.json('account', 'create', '--name', 'Acme', '--plan', 'trial')).account_id;
  await terminal.json('account', 'create', '--name', 'Free');
  await terminal.json('key', 'create', '--account', account);
  before = await terminal.dump();
});
afterAll(() => terminal.dispose());

/** ACCOUNT stands for an account that exists. */
const filledIn = (words: string) =>
  (words.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"(.*)"$/, '$1').replace('ACCOUNT', account));

const createPlan = 'plan create --name p --messages-per-minute 1 --instance-limit 1';

describe('wrong usage: exit code 2, one line, nothing changed', () => {
  test.each([
    'nonsense',
    'account nonsense',
    '--nonsense',
    'account list --nonsense',
    'account list surplus',
    'mcp',
    'mcp --key ""',
    'mcp --key mgw_x --url ftp://gateway.example.com',
    'mcp --key mgw_x --url nonsense',
    'account create',
    'account create --name',
    'account create --name ""',
    'account create --name "   "',
    `account create --name ${'x'.repeat(101)}`,
    'account create --name a --plan-ends 2026-12-31',
    'account create --name a --plan none --plan-ends 2026-12-31',
    'account create --name a --plan trial --plan-ends 2026-02-30',
    'account create --name a --plan trial --plan-ends 2026-13-01',
    'account create --name a --plan trial --plan-ends tomorrow',
    'account create --name a --plan trial --plan-ends 31.12.2026',
    'account create --name a --plan trial --plan-ends 2026-12-31T10:00:00',
    'account create --name a --plan trial --plan-ends 2026-12-31T25:00:00Z',
    'account create --name a --plan trial --plan-ends 2026-02-30T10:00:00Z',
    'account create --name a --plan trial --plan-ends "2026-12-31 10:00:00Z"',
    'account create --name a --plan trial --plan-ends 1790000000',
    'account create --name a --access-ends ""',
    'account create --name a --instance-limit -1',
    'account create --name a --instance-limit 1.5',
    'account create --name a --instance-limit many',
    'account create --name a --instance-limit 1e3',
    'account create --name a --instance-limit 0x10',
    'account create --name a --instance-limit ""',
    'account create --name a --instance-limit 1000001',
    'account create --name a --operator',
    'account create --name a --free-slots 3',
    'account create --name a --operator --free-slots none',
    'account create --name a --suspend',
    'account update',
    'account update ACCOUNT',
    'account update ACCOUNT --json',
    'account update ACCOUNT --suspend --resume',
    'account update ACCOUNT --no-operator --free-slots 1',
    'account update ACCOUNT --plan-ends never',
    'account show',
    'key create',
    'key create --account ACCOUNT --label ""',
    `key create --account ACCOUNT --label ${'x'.repeat(61)}`,
    'key list',
    'key revoke',
    'plan create --name p',
    'plan create --name p --messages-per-minute 0 --instance-limit 1',
    'plan create --name none --messages-per-minute 1 --instance-limit 1',
    `${createPlan} --trial-messages 0`,
    'plan update trial',
    'plan update trial --trial-messages -3',
    'provider create',
    'provider create --name n --number-capacity -1',
    'provider update default',
    'provider update default --suspend --resume',
    'number list',
    'number pair',
    'number pair not-an-id',
    'number pair 0198c0de-0000-7000-8000-000000000000 --phone-number 0123',
    'request show',
    'request list --account',
    'request list --account ACCOUNT --to 12',
    'request list --account ACCOUNT --since yesterday',
    'request list --account ACCOUNT --limit 0',
    'usage',
    'usage --account ACCOUNT --from yesterday',
    'usage --account ACCOUNT --from 2026-06-01T00:00:00Z',
    'usage --account ACCOUNT --from 2026-06-02 --to 2026-06-01',
    'usage --account ACCOUNT --from 2027-01-01',
    'usage --account ACCOUNT --from 1000-01-01',
    'audit surplus',
    'audit --account',
    'audit --limit 0',
    'audit --limit 1001',
    'audit --limit many',
    'doctor surplus',
    'serve surplus',
  ])('%s [cli.errors]', async (words) => {
    const { exitCode, stdout, stderr } = await terminal.run(...filledIn(words));
    expect(stderr).toMatch(/^gateway: [^\n]+\n$/);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(await terminal.dump()).toEqual(before);
    expect(terminal.served).toEqual([]);
  });

  test.each([
    'number proxy 0198c0de-0000-7000-8000-000000000000 socks5://me:Zx/81@host:1080',
    'number proxy socks5://me:Zx81@host:1080',
    'move --to postgres://gw:Zx#81@db/gw',
    'mcp --key mgw_x --url https://me:Zx81@gateway.example.com',
    'mcp --key mgw_x --url https://me:Zx#81@gateway.example.com',
  ])('an address that is refused is not shown with its password: %s', async (words) => {
    const { exitCode, stdout, stderr } = await terminal.run(...filledIn(words));
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^gateway: [^\n]+\n$/);
    expect(stderr).not.toContain('Zx');
  });

  test('the line names the option and what it should be', async () => {
    const { stderr } = await terminal.run('account', 'create', '--name', 'a', '--instance-limit', 'x');
    expect(stderr).toBe("gateway: option '--instance-limit <n>' argument 'x' is invalid. It must be a whole number from 0 to 1000000.\n");
  });

  test('what was typed cannot steer the terminal', async () => {
    const { exitCode, stderr } = await terminal.run('account', 'create', '--name', 'a\u001b[2J\nb');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^gateway: [^\n]+\n$/);
    expect(stderr).not.toContain('\u001b');
  });
});

describe('failures: exit code 1, one line, nothing changed', () => {
  test.each([
    ['account create --name a --plan nope', 'there is no plan "nope"'],
    ['account create --name a --provider nope', 'there is no provider "nope"'],
    ['account show nope', 'there is no account "nope"'],
    ['account show "a b"', 'there is no account "a b"'],
    ['account update nope --name b', 'there is no account "nope"'],
    ['account update ACCOUNT --name b --plan nope', 'there is no plan "nope"'],
    ['account update ACCOUNT --name b --provider nope', 'there is no provider "nope"'],
    ['account update ACCOUNT --plan none --plan-ends 2026-12-31', 'the account has no plan whose end could be set'],
    ['account update ACCOUNT --free-slots 2', "only an operator's own account has free slots"],
    ['account update ACCOUNT --operator', "an operator's own account needs its number of free slots"],
    ['key create --account nope', 'there is no account "nope"'],
    ['key list --account nope', 'there is no account "nope"'],
    ['key revoke nope', 'there is no key "nope"'],
    ['plan create --name trial --messages-per-minute 1 --instance-limit 1', 'there is already a plan "trial"'],
    ['plan update nope --instance-limit 1', 'there is no plan "nope"'],
    ['plan update starter --name trial --instance-limit 1', 'there is already a plan "trial"'],
    ['provider update nope --suspend', 'there is no provider "nope"'],
    ['number list --account nope', 'there is no account "nope"'],
    ['number pair 0198c0de-0000-7000-8000-000000000000', 'there is no number "0198c0de-0000-7000-8000-000000000000"'],
    ['request show nope', 'the request log has no request "nope"'],
    ['request list --account nope', 'there is no account "nope"'],
    ['usage --account nope', 'there is no account "nope"'],
    ['audit --account nope', 'there is no account "nope"'],
  ])('%s [cli.errors]', async (words, line) => {
    for (const json of [[], ['--json']]) {
      expect(await terminal.run(...filledIn(words), ...json)).toEqual({ exitCode: 1, stdout: '', stderr: `gateway: ${line}\n` });
    }
    expect(await terminal.dump()).toEqual(before);
  });

  test('every wrong setting has its line', async () => {
    const { exitCode, stdout, stderr } = await terminal.runIn({ env: { PORT: 'x', IDEMPOTENCY: 'maybe' } }, 'plan', 'list');
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^gateway: PORT [^\n]+\ngateway: IDEMPOTENCY [^\n]+\n$/);
  });

  test('a store that cannot be opened is told in its own words', async () => {
    const openStore = () => Promise.reject(new OperatorError('cannot use the data folder'));
    expect(await terminal.runIn({ openStore }, 'plan', 'list')).toMatchObject({
      exitCode: 1,
      stderr: 'gateway: cannot use the data folder\n',
    });
  });

  test('an unexpected failure is one line, with its stack only for who asks', async () => {
    const openStore = () => Promise.reject(new Error('two\nlines'));
    expect(await terminal.runIn({ openStore }, 'plan', 'list')).toMatchObject({
      exitCode: 1,
      stderr: 'gateway: unexpected failure: two lines (LOG_LEVEL=debug shows where)\n',
    });
    const { stderr } = await terminal.runIn({ openStore, env: { LOG_LEVEL: 'debug' } }, 'plan', 'list');
    expect(stderr).toMatch(/^gateway: Error: two\ngateway: lines\ngateway: +at /);
  });
});

describe('help', () => {
  test('without words the help is shown, as wrong usage', async () => {
    const { exitCode, stdout, stderr } = await terminal.run();
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Usage: gateway');
  });

  test('--help and --version print on stdout and succeed', async () => {
    const { exitCode, stdout, stderr } = await terminal.run('--help');
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const word of [
      'serve',
      'account',
      'key',
      'plan',
      'provider',
      'number',
      'request',
      'usage',
      'audit',
      'doctor',
      'PORT',
      'DATA_DIR',
      '--json',
      'Examples:',
    ]) {
      expect(stdout).toContain(word);
    }
    expect(await terminal.run('--version')).toEqual({ exitCode: 0, stdout: '1.2.3\n', stderr: '' });
  });

  test('secret rotate --help has the steps of docs/operating.md, in which the new key is kept', async () => {
    const { stdout } = await terminal.run('secret', 'rotate', '--help');
    const steps = (stdout.match(/^\d\. .+(\n {3}.+)*$/gm) ?? []).map((step) => step.slice(3).replaceAll(/\s+/g, ' '));
    expect(steps).toHaveLength(3);
    const page = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8').replaceAll('`', '');
    for (const step of steps) expect(page).toContain(step.replace(/\.$/, ''));
    // A variable of the one command alone is gone with it.
    expect(stdout).not.toContain('NEW_SECRET_KEY=$(');
  });

  test.each([
    ['account create', ['--plan-ends', '00:00 UTC', 'none', 'Examples:']],
    ['account update', ['--suspend', '--no-operator', '00:00 UTC']],
    ['account list', ['--json']],
    ['account show', ['account-id']],
    ['key create', ['printed only now', '--label']],
    ['key list', ['--account']],
    ['key revoke', ['key-id']],
    ['plan create', ['per minute', 'Examples:']],
    ['plan update', ['--trial-messages']],
    ['plan list', ['--json']],
    ['provider create', ['--number-capacity']],
    ['provider update', ['--resume']],
    ['provider list', ['--json']],
    ['number list', ['--account']],
    ['number pair', ['20 minutes', '--phone-number']],
    ['request show', ['X-Request-Id']],
    ['request list', ['--account', '--failed', 'newest first', 'Examples:']],
    ['usage', ['--from', 'default', 'UTC']],
    ['audit', ['--account', '--limit', 'newest first', 'Examples:']],
    ['doctor', ['how to fix']],
    ['serve', ['--demo', 'Ctrl-C']],
  ])('%s --help explains itself [cli.help]', async (words, expected) => {
    const { exitCode, stdout, stderr } = await terminal.run(...words.split(' '), '--help');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Usage: gateway ${words}`);
    for (const text of expected) expect(stdout).toContain(text);
  });
});
