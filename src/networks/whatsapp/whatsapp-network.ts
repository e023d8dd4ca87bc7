import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { type Clock, OperatorError } from '../../core/index.ts';
import type { Network } from '../index.ts';
import { messageIdOf } from '../message-id.ts';
import type { Timing } from './protocol.ts';
import { ClientVersion, type VersionStore } from './version/client-version.ts';
import { fetchRevision } from './version/version-page.ts';
import { codeLifetimesMs, type LinkServices, WhatsAppLink } from './whatsapp-link.ts';
import { WorkerPool } from './worker-pool.ts';

export interface WhatsAppOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** How many threads hold the connections. */
  readonly workers: number;
  /** The WebSocket address (ws:// or wss://); null for WhatsApp's own. */
  readonly url: string | null;
  /** The key that the server's certificate must chain up to, 32 bytes; null for WhatsApp's own. */
  readonly rootKey: Buffer | null;
  /** A PEM file with a certificate authority to trust for connections and uploads, in addition to Node's own; null for none. */
  readonly caFile: string | null;
  /** How long sent messages are kept in the store for devices that ask for them again; with 0 they are kept in memory only. */
  readonly retryKeepHours: number;
  /** The version to use (N of 2.3000.N), whatever the version page names; null for the newest known one. */
  readonly version: number | null;
  /** The page that names the newest version; null when it must not be read. */
  readonly versionUrl: string | null;
  /** Where the version is kept. */
  readonly versions: VersionStore;
  readonly random?: () => number;
  /** Overrides of the usual times. */
  readonly timing?: Partial<Timing>;
}

const usualTiming: Timing = { keepAliveMs: 30_000, acknowledgementMs: 20_000, workerSilenceMs: 60_000 };

/**
 * WhatsApp, through numbers linked as companion devices. The first link loads the library and starts the worker threads. Throws OperatorError when
 * the CA file cannot be read.
 */
export function createWhatsAppNetwork(options: WhatsAppOptions): Network {
  const { clock, log, versionUrl: url } = options;
  const ca = options.caFile === null ? null : readAuthority(options.caFile);
  const pool = new WorkerPool({
    size: options.workers,
    log,
    setup: {
      url: options.url,
      rootKey: options.rootKey,
      keepSent: options.retryKeepHours > 0,
      debug: log.isLevelEnabled('debug'),
      ca,
      timing: { ...usualTiming, ...options.timing },
    },
  });
  const version = new ClientVersion({
    clock,
    log,
    store: options.versions,
    override: options.version,
    fetch: url === null ? null : () => fetchRevision({ url, ca, clock }),
    random: options.random ?? Math.random,
    use: (revision) => pool.use(revision),
  });
  const links = new Set<WhatsAppLink>();
  let lastLink = 0;

  const services: LinkServices = {
    clock,
    log,
    version,
    ended(link, unlinked) {
      links.delete(link);
      if (unlinked) pool.forget(link.instanceId);
    },
  };

  return {
    name: 'whatsapp',
    rotationLimit: codeLifetimesMs.length,
    messageId: messageIdOf,
    open(context) {
      void version.begin();
      const thread = pool.threadOf(context.instanceId);
      const link = new WhatsAppLink({ services, context, thread, number: ++lastLink });
      links.add(link);
      return link;
    },
    async close() {
      await Promise.all([...links].map((link) => link.close()));
      await version.close();
      await pool.close();
    },
  };
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`WHATSAPP_CA_FILE ${file} cannot be read: ${error instanceof Error ? error.message : 'failed'}`);
  }
}
