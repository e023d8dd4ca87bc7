import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { getCACertificates } from 'node:tls';
import type { Config } from '../../config/index.ts';
import { type Clock, withTimeout } from '../../core/index.ts';
import { chooseVersion, nothingKnown, versionText, versionTrouble } from '../../networks/index.ts';
import { createClientVersions, type Store } from '../../store/index.ts';
import { type Check, type Finding, type Machine, ok, reason, type Sentence, t, warn } from './check.ts';

const realAddress = 'wss://web.whatsapp.com/ws/chat';
const answerMs = 5000;
const toleratedSkewMs = 60_000;

/** Whether WhatsApp's server (or the one in its place) can be reached from here, and whether this machine's clock agrees with it. */
export const whatsapp: Check = async ({ clock }, config) => {
  if (!config.networks.includes('whatsapp')) return [];
  const address = new URL(config.whatsapp.url ?? realAddress);
  const [reached, skew] = await Promise.all([connection(clock, config, address), clockSkew(clock, config, address)]);
  return [reached, ...skew];
};

async function connection(clock: Clock, config: Config, address: URL): Promise<Finding> {
  const { host } = address;
  const mend =
    config.whatsapp.url === null
      ? t(
          'check that this machine may connect to {{host}} on port 443 (internet access, firewall, DNS); numbers then reconnect automatically',
          { host },
        )
      : t('check that the server at WHATSAPP_URL is running and that WHATSAPP_CA_FILE contains the certificate it is signed with');
  const unreachable = (why: Sentence) => warn('whatsapp', t('{{host}} cannot be reached: {{reason}}', { host, reason: why }), mend);
  try {
    const answer = await ask(clock, config, address, 'GET', {
      connection: 'Upgrade',
      upgrade: 'websocket',
      origin: `https://${host}`,
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    });
    if (answer === null) return unreachable(t('it did not answer within {{seconds}} seconds', { seconds: answerMs / 1000 }));
    const { statusCode } = answer;
    return statusCode === 101
      ? ok('whatsapp', t('{{host}} can be reached', { host }))
      : warn('whatsapp', t('{{host}} answers with status {{status}} instead of a connection', { host, status: String(statusCode) }), mend);
  } catch (error) {
    return unreachable(reason(error));
  }
}

/** Nothing when the server does not answer, which the check of the connection reports, or its answer has no date. */
async function clockSkew(clock: Clock, config: Config, address: URL): Promise<Finding[]> {
  let date: string | undefined;
  try {
    date = (await ask(clock, config, new URL('/', address), 'HEAD', {}))?.headers.date;
  } catch {
    return [];
  }
  const difference = Date.parse(date ?? '') - clock.now();
  if (Number.isNaN(difference)) return [];
  if (Math.abs(difference) <= toleratedSkewMs) return [ok('whatsapp clock', t('in step with this machine'))];
  const values = { seconds: String(Math.round(Math.abs(difference) / 1000)), host: address.host };
  return [
    warn(
      'whatsapp clock',
      difference > 0
        ? t("this machine's clock is {{seconds}} s behind that of {{host}}", values)
        : t("this machine's clock is {{seconds}} s ahead of that of {{host}}", values),
      t('set the clock, preferably by NTP (timedatectl set-ntp true): with a wrong one logins and file uploads are refused'),
    ),
  ];
}

/** The head of the answer, the connection closed again; null when there is none in time. */
async function ask(
  clock: Clock,
  config: Config,
  address: URL,
  method: 'GET' | 'HEAD',
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage | null> {
  const target = new URL(address.href.replace(/^ws/, 'http'));
  const { caFile } = config.whatsapp;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request =
    target.protocol === 'http:'
      ? requestHttp(target, { method, headers, agent: false })
      : requestHttps(target, {
          method,
          headers,
          agent: false,
          ...(caFile === null ? {} : { ca: [...getCACertificates(), readFileSync(caFile, 'utf8')] }),
        });
  // Stays for good: an error that comes after the outcome would end the process without a listener.
  request.on('error', reject);
  request.once('response', resolve);
  request.once('upgrade', (response, socket) => {
    socket.destroy();
    resolve(response);
  });
  request.end();
  try {
    return await withTimeout<IncomingMessage | null>(clock, answerMs, promise, () => null);
  } finally {
    request.destroy();
  }
}

/** The version of WhatsApp Web that numbers connect with: whether it is old, or WhatsApp has announced its end. Nothing before a number has connected. */
export async function whatsappVersion({ clock }: Machine, config: Config, store: Store): Promise<Finding[]> {
  if (!config.networks.includes('whatsapp')) return [];
  const { version: override, versionUrl } = config.whatsapp;
  const record = await createClientVersions(store.db, 'whatsapp').read();
  if (record === null && override === null) return [];
  const chosen = chooseVersion(record ?? nothingKnown, override);
  const trouble = versionTrouble(chosen, clock.now());
  const shown = sources[chosen.source](versionText(chosen.revision));
  return [
    trouble === null
      ? ok('whatsapp version', shown)
      : warn('whatsapp version', (texts) => `${shown(texts)}: ${trouble}`, mendOf(override, versionUrl)),
  ];
}

/** A version and where it comes from. */
const sources = {
  override: (version: string) => t('{{version}} (override)', { version }),
  fetched: (version: string) => t('{{version}} (fetched)', { version }),
  accepted: (version: string) => t('{{version}} (accepted)', { version }),
  bundled: (version: string) => t('{{version}} (bundled)', { version }),
};

function mendOf(override: number | null, versionUrl: string | null): Sentence {
  if (override !== null) return t('remove WHATSAPP_VERSION, so that the newest version is found automatically, or set it to a newer one');
  return versionUrl === null
    ? t('remove the empty WHATSAPP_VERSION_URL, so that the newest version is found automatically, or set WHATSAPP_VERSION')
    : t(
        'check that this machine can read {{url}} (gateway whatsapp version --refresh tries it now), upgrade the gateway, or set WHATSAPP_VERSION',
        { url: versionUrl },
      );
}
