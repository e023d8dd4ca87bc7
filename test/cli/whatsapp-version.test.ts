import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWhatsAppServer, type WhatsAppServer } from 'whatsapp-test-server';
import { bundledVersion, versionText } from '../../src/networks/whatsapp/version/choose-version.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { anyStore } from '../support/run-options.ts';
import { openTerminal, type Terminal } from './world.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe('gateway whatsapp version', () => {
  const clock = createManualClock(bundledVersion.madeAt + 30 * dayMs);
  let server: WhatsAppServer;
  let terminal: Terminal;
  let env: Record<string, string>;
  beforeAll(async () => {
    server = await startWhatsAppServer();
    terminal = await openTerminal(anyStore, clock);
    env = { NETWORKS: 'whatsapp,sandbox', WHATSAPP_URL: server.url, WHATSAPP_ROOT_KEY: server.rootKey, WHATSAPP_CA_FILE: server.caFile };
  });
  afterAll(async () => {
    await terminal?.dispose();
    await server?.close();
  });
  const version = async (more: Record<string, string> = {}, ...words: string[]) => {
    const outcome = await terminal.runIn({ env: { ...env, ...more } }, 'whatsapp', 'version', ...words, '--json');
    return outcome.exitCode === 0 ? JSON.parse(outcome.stdout) : outcome;
  };
  const nothing = { fetched_at: null, accepted_at: null, expires_at: null };

  it('shows the bundled one first, and asks nobody [whatsapp.cli]', async () => {
    expect(await version()).toEqual({ version: versionText(bundledVersion.revision), source: 'bundled', ...nothing });
    expect(server.builds.reads).toBe(0);
  });

  it('--refresh reads the newest one and keeps it [whatsapp.cli]', async () => {
    const fetched = {
      version: versionText(server.builds.newest),
      source: 'fetched',
      ...nothing,
      fetched_at: new Date(clock.now()).toISOString(),
    };
    expect(await version({}, '--refresh')).toEqual(fetched);
    expect(await version()).toEqual(fetched);
    expect(server.builds.reads).toBe(1);
  });

  it('an override goes before it', async () => {
    expect(await version({ WHATSAPP_VERSION: '1043999999' })).toEqual({ version: '2.3000.1043999999', source: 'override', ...nothing });
  });

  it('--refresh says why nothing was learned, and exits with 1 [whatsapp.cli]', async () => {
    server.builds.page('fail');
    expect(await version({}, '--refresh')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('answers with status 503') });
    server.builds.page({ text: '"client_revision":17' });
    expect(await version({}, '--refresh')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('which is impossible') });
    expect(await version({ WHATSAPP_VERSION_URL: '' }, '--refresh')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is set but empty'),
    });
    server.builds.page('serve');
  });

  it('doctor warns of an old version and of one whose end is told [whatsapp.version-age]', async () => {
    const found = async () => {
      const { stdout } = await terminal.runIn({ env }, 'doctor', '--json');
      return JSON.parse(stdout).checks.find(({ check }: { check: string }) => check === 'whatsapp version');
    };
    expect(await found()).toMatchObject({ state: 'ok', message: expect.stringContaining('(fetched)') });
    clock.advance(61 * dayMs);
    expect(await found()).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('61 days old'),
      mend: expect.stringContaining('--refresh'),
    });
    const expiresAt = clock.now() + dayMs;
    await terminal.store.db.updateTable('client_versions').set({ expiring: server.builds.newest, expires_at: expiresAt }).execute();
    expect(await found()).toMatchObject({ state: 'warn', message: expect.stringContaining(new Date(expiresAt).toISOString()) });
  });
});
