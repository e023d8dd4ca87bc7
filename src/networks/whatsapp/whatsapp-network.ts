import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { type Clock, OperatorError } from '../../core/index.ts';
import type { Network } from '../index.ts';
import { rotationLimit } from './code-rotation.ts';
import { messageIdOf } from './message-id.ts';
import type { Timing } from './protocol.ts';
import { ClientVersion, type VersionStore } from './version/client-version.ts';
import { fetchRevision } from './version/version-page.ts';
import { type LinkServices, WhatsAppLink } from './whatsapp-link.ts';
import { WorkerPool } from './worker-pool.ts';

/** What the WhatsApp network is made of. */
export interface WhatsAppOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** How many threads hold the connections. */
  readonly workers: number;
  /** The WebSocket to connect to (ws:// or wss://); null: WhatsApp's own. */
  readonly url: string | null;
  /** 32 bytes: the key that the server's certificate must chain up to; null: WhatsApp's own. */
  readonly rootKey: Buffer | null;
  /** A PEM file with an authority to trust for connections and uploads, in addition to Node's own; null: none. */
  readonly caFile: string | null;
  /** How long sent messages are kept in the store for devices that ask for them again; 0: they are kept in memory only. */
  readonly retryKeepHours: number;
  /** The version to connect with (N of 2.3000.N), whatever the version page says; null: the newest that is known. */
  readonly version: number | null;
  /** The page that names the newest version; null: it is never read. */
  readonly versionUrl: string | null;
  /** Where the version is kept. */
  readonly versions: VersionStore;
  readonly random?: () => number;
  /** Other waits than the usual ones. */
  readonly timing?: Partial<Timing>;
}

const usualTiming: Timing = { keepAliveMs: 30_000, acknowledgementMs: 20_000, workerSilenceMs: 60_000 };

/** WhatsApp, through numbers linked as companion devices. Threads and library are loaded by the first link. Throws OperatorError when the CA file cannot be read. */
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
    rotationLimit,
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
