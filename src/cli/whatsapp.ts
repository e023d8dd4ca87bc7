import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '../config/index.ts';
import { isoOrNull, OperatorError } from '../core/index.ts';
import { chooseVersion, fetchRevision, isPlausible, nothingKnown, versionText, versionTrouble } from '../networks/index.ts';
import { createClientVersions, type Store } from '../store/index.ts';
import { type Run, withStore } from './environment.ts';
import { print } from './output.ts';

const sources = {
  override: 'the setting WHATSAPP_VERSION',
  fetched: "WhatsApp's own page",
  accepted: 'the last one that WhatsApp accepted',
  bundled: 'this release of the gateway',
} as const;

export function addWhatsApp(program: Command, run: Run): void {
  const group = program
    .command('whatsapp')
    .summary('the connection to WhatsApp')
    .description('Commands for all WhatsApp numbers together.');

  group
    .command('version')
    .description(
      'Show the version of WhatsApp Web that numbers connect as, where it comes from, and when WhatsApp ends it. A running server learns of a newer one within the hour, and at once when WhatsApp refuses its own.',
    )
    .option('--refresh', 'read the newest version from the page at WHATSAPP_VERSION_URL now')
    .action(async (options: { refresh?: true }, command: Command) => {
      await withStore(run, async (store, config) => {
        if (options.refresh) await refresh(run, store, config);
        const record = (await createClientVersions(store.db, 'whatsapp').read()) ?? nothingKnown;
        const version = chooseVersion(record, config.whatsapp.version);
        const { revision, source, fetchedAt, acceptedAt, expiresAt } = version;
        const json = {
          version: versionText(revision),
          source,
          fetched_at: isoOrNull(fetchedAt),
          accepted_at: isoOrNull(acceptedAt),
          expires_at: isoOrNull(expiresAt),
        };
        const trouble = versionTrouble(version, run.environment.clock.now());
        const lines = [
          `${json.version}, from ${sources[source]}`,
          json.fetched_at === null ? null : `named by the version page on ${json.fetched_at}`,
          json.accepted_at === null ? 'not yet accepted by WhatsApp' : `accepted by WhatsApp since ${json.accepted_at}`,
          trouble === null ? null : `Beware: ${trouble}.`,
        ];
        print(run, command, json, lines.filter((line) => line !== null).join('\n'));
      });
    });
}

/** Reads the version page and keeps what it names. Throws OperatorError when it cannot be read or names a version that cannot be. */
async function refresh(run: Run, store: Store, { whatsapp: { versionUrl: url, caFile } }: Config): Promise<void> {
  if (url === null) throw new OperatorError('WHATSAPP_VERSION_URL is set but empty, so that no version is ever fetched; remove it');
  const { clock } = run.environment;
  const versions = createClientVersions(store.db, 'whatsapp');
  const revision = await fetchRevision({ url, ca: caFile === null ? null : readFileSync(caFile, 'utf8'), clock });
  if (!isPlausible(revision, (await versions.read()) ?? nothingKnown, clock.now())) {
    throw new OperatorError(
      `the version page ${url} names ${versionText(revision)}, which is impossible, so it is not used. WHATSAPP_VERSION would override it`,
    );
  }
  await versions.write({ fetched: revision, fetched_at: clock.now() });
}
