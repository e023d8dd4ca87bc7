import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addInstance } from '../../src/accounts/index.ts';
import { newId } from '../../src/core/index.ts';
import { at } from '../support/act.ts';
import { logRequest, requestRecord } from '../support/request-log.ts';
import { openTerminal, type Terminal } from './world.ts';

describe('for people', () => {
  let terminal: Terminal;
  beforeEach(async () => {
    terminal = await openTerminal();
  });
  afterEach(() => terminal.dispose());

  const ok = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await terminal.run(...words);
    expect([exitCode, stderr]).toEqual([0, '']);
    return stdout;
  };

  test('every command prints readable text and nothing on stderr', async () => {
    expect(await ok('account', 'list')).toContain('No accounts yet');
    const { account_id } = await terminal.json('account', 'create', '--name', 'Acme', '--plan', 'trial');
    expect(await ok('account', 'show', account_id)).toMatch(/^trial messages +0 of 100 used$/m);
    expect(await ok('account', 'list')).toMatch(/^[0-9a-f-]{36} {2}Acme {2}trial +- +0 +0 +usable$/m);
    expect(await ok('number', 'list', '--account', account_id)).toContain('no numbers');
    expect(await ok('key', 'list', '--account', account_id)).toContain('No keys yet');
    const key = await ok('key', 'create', '--account', account_id);
    expect(key).toMatch(/^key +mgw_/m);
    expect(await ok('key', 'list', '--account', account_id)).toContain('never');
    expect(await ok('key', 'revoke', /[0-9a-f-]{36}/.exec(key)?.[0] ?? '')).toMatch(/^Key mgw_\w{8}… was revoked/);
    expect(await ok('plan', 'list')).toContain('business');
    expect(await ok('provider', 'list')).toContain('no limit');
    expect(await ok('usage', '--account', account_id)).toContain('Nothing used from 2026-05-17 to 2026-06-15.');
    await terminal.store.hot.settle({
      requestId: newId(),
      at: 0,
      accountId: account_id,
      type: 'text',
      day: '2026-06-15',
      keyed: null,
      reservation: null,
    });
    expect(await ok('usage', '--account', account_id)).toMatch(/^2026-06-15 +1 +0 +text 1\ntotal +1 +0$/m);
    const request_id = newId();
    await logRequest(terminal.store, requestRecord({ request_id, at: 0, path: '/x', status: 404, code: 'not_found' }));
    expect(await ok('request', 'show', request_id)).toMatch(/^answer +404 not_found$/m);
    expect(await ok('doctor')).toMatch(/^ok {4}settings: /m);
  });

  test('text from customers cannot steer the terminal', async () => {
    const { account_id } = await terminal.json('account', 'create', '--name', 'a', '--plan', 'trial');
    await addInstance(
      terminal.store,
      { accountId: account_id, id: newId(), network: 'sandbox', label: '\u001b[2Jgone\nnow \u202e' },
      at(0),
    );
    const text = await ok('number', 'list', '--account', account_id);
    expect(text).toContain('?[2Jgone now ?');
    expect(text.split('\n')).toHaveLength(3);
  });

  test('serve hands the settings over [serve.same]', async () => {
    await ok('serve');
    expect((await terminal.runIn({ env: { PORT: '4000' } }, 'serve', '--demo')).exitCode).toBe(0);
    expect(terminal.served.map(({ demo, config }) => [demo, config.port])).toEqual([
      [false, 3000],
      [true, 4000],
    ]);
  });

  test('--json counts wherever it stands [cli.json]', async () => {
    for (const words of [
      ['--json', 'plan', 'list'],
      ['plan', '--json', 'list'],
      ['plan', 'list', '--json'],
    ]) {
      expect(JSON.parse(await ok(...words))).toHaveLength(4);
    }
  });

  test('the store is closed after every command', async () => {
    let open = 0;
    const openStore = async () => {
      const store = await terminal.database.open();
      open++;
      return {
        ...store,
        close: async () => {
          open--;
          await store.close();
        },
      };
    };
    for (const words of [
      ['plan', 'list'],
      ['account', 'show', 'nope'],
      ['doctor'],
      ['plan', 'create', '--name', 'trial', '--messages-per-minute', '1', '--instance-limit', '1'],
    ]) {
      await terminal.runIn({ openStore }, ...words);
      expect(open).toBe(0);
    }
  });
});
