import type { Config } from '../../config/index.ts';
import { chooseVersion, nothingKnown, versionText, versionTrouble } from '../../networks/index.ts';
import { createClientVersions, type Store } from '../../store/index.ts';
import { type Finding, type Machine, ok, warn } from './check.ts';

/** The version of WhatsApp Web that numbers connect with: whether it is old, or WhatsApp has announced its end. Nothing before a number has connected. */
export async function whatsappVersion({ clock }: Machine, config: Config, store: Store): Promise<Finding[]> {
  if (!config.networks.includes('whatsapp')) return [];
  const { version: override, versionUrl } = config.whatsapp;
  const record = await createClientVersions(store.db, 'whatsapp').read();
  if (record === null && override === null) return [];
  const chosen = chooseVersion(record ?? nothingKnown, override);
  const trouble = versionTrouble(chosen, clock.now());
  const shown = `${versionText(chosen.revision)} (${chosen.source})`;
  return [trouble === null ? ok('whatsapp version', shown) : warn('whatsapp version', `${shown}: ${trouble}`, mend(override, versionUrl))];
}

function mend(override: number | null, versionUrl: string | null): string {
  if (override !== null) return 'remove WHATSAPP_VERSION, so that the newest version is found automatically, or set it to a newer one';
  return versionUrl === null
    ? 'remove the empty WHATSAPP_VERSION_URL, so that the newest version is found automatically, or set WHATSAPP_VERSION'
    : `check that this machine can read ${versionUrl} (gateway whatsapp version --refresh tries it now), upgrade the gateway, or set WHATSAPP_VERSION`;
}
