import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { getCACertificates } from 'node:tls';
import type { Config } from '../../config/index.ts';
import { type Clock, OperatorError, withTimeout } from '../../core/index.ts';
import { chooseVersion, nothingKnown, versionText, versionTrouble } from '../../networks/index.ts';
import { createClientVersions, type Store } from '../../store/index.ts';
import { type Check, type Finding, type Machine, ok, reason, warn } from './check.ts';

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
  const mend =
    config.whatsapp.url === null
      ? `check that this machine may connect to ${address.host} on port 443 (internet access, firewall, DNS); numbers then reconnect automatically`
      : 'check that the server at WHATSAPP_URL is running and that WHATSAPP_CA_FILE contains the certificate it is signed with';
  try {
    const { statusCode } = await ask(clock, config, address, 'GET', {
      connection: 'Upgrade',
      upgrade: 'websocket',
      origin: `https://${address.host}`,
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    });
    return statusCode === 101
      ? ok('whatsapp', `${address.host} can be reached`)
      : warn('whatsapp', `${address.host} answers with status ${statusCode} instead of a connection`, mend);
  } catch (error) {
    return warn('whatsapp', `${address.host} cannot be reached: ${reason(error)}`, mend);
  }
}

/** Nothing when the server does not answer, which the check of the connection reports, or its answer has no date. */
async function clockSkew(clock: Clock, config: Config, address: URL): Promise<Finding[]> {
  let date: string | undefined;
  try {
    date = (await ask(clock, config, new URL('/', address), 'HEAD', {})).headers.date;
  } catch {
    return [];
  }
  const difference = Date.parse(date ?? '') - clock.now();
  if (Number.isNaN(difference)) return [];
  if (Math.abs(difference) <= toleratedSkewMs) return [ok('whatsapp clock', 'in step with this machine')];
  const direction = difference > 0 ? 'behind' : 'ahead of';
  return [
    warn(
      'whatsapp clock',
      `this machine's clock is ${Math.round(Math.abs(difference) / 1000)} s ${direction} that of ${address.host}`,
      'set the clock, preferably by NTP (timedatectl set-ntp true): with a wrong one logins and file uploads are refused',
    ),
  ];
}

/** The head of the answer, the connection closed again. Rejects when there is none in time. */
async function ask(
  clock: Clock,
  config: Config,
  address: URL,
  method: 'GET' | 'HEAD',
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
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
  const late = () => {
    throw new OperatorError(`it did not answer within ${answerMs / 1000} seconds`);
  };
  try {
    return await withTimeout(clock, answerMs, promise, late);
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
  const shown = `${versionText(chosen.revision)} (${chosen.source})`;
  return [
    trouble === null ? ok('whatsapp version', shown) : warn('whatsapp version', `${shown}: ${trouble}`, mendOf(override, versionUrl)),
  ];
}

function mendOf(override: number | null, versionUrl: string | null): string {
  if (override !== null) return 'remove WHATSAPP_VERSION, so that the newest version is found automatically, or set it to a newer one';
  return versionUrl === null
    ? 'remove the empty WHATSAPP_VERSION_URL, so that the newest version is found automatically, or set WHATSAPP_VERSION'
    : `check that this machine can read ${versionUrl} (gateway whatsapp version --refresh tries it now), upgrade the gateway, or set WHATSAPP_VERSION`;
}
