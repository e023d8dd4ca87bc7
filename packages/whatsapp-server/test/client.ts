import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import makeWASocket, {
  type AuthenticationCreds,
  type ConnectionState,
  initAuthCreds,
  type UserFacingSocketConfig,
  WA_CERT_DETAILS,
  type WASocket,
} from 'baileys';
import { createMemoryKeys, silentLog, type WhatsAppServer } from '../src/index.ts';

/** What a linked device keeps between its connections. */
export interface Credentials {
  readonly creds: AuthenticationCreds;
  readonly records: Map<string, unknown>;
}

export function newCredentials(): Credentials {
  return { creds: initAuthCreds(), records: new Map() };
}

export interface Client {
  readonly sock: WASocket;
  /** Every connection update so far, oldest first. */
  readonly updates: readonly Partial<ConnectionState>[];
  /** The first update, past or future, that matches. Rejects after 15 s. */
  update(match: (update: Partial<ConnectionState>) => boolean): Promise<Partial<ConnectionState>>;
  qr(): Promise<string>;
  opened(): Promise<void>;
  /** The status code the connection was closed with, and what the library attached to it. */
  closed(): Promise<{ code: number; data: unknown }>;
  /** The attributes of the acknowledgement of this message. */
  acked(id: string): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

/** Baileys as it comes, pointed at the server for tests. */
export function connect(
  server: Pick<WhatsAppServer, 'url' | 'rootKey' | 'caFile'>,
  { creds, records }: Credentials,
  options: Partial<UserFacingSocketConfig> = {},
): Client {
  // The library knows the root of trust only as a process-wide constant.
  WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(server.rootKey, 'hex');
  const agent = new Agent({ ca: readFileSync(server.caFile) });
  const updates: Partial<ConnectionState>[] = [];
  const acks = new Map<string, Record<string, string>>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  const sock = makeWASocket({
    ...{ waWebSocketUrl: server.url, agent, fetchAgent: agent, logger: silentLog },
    ...{ auth: { creds, keys: createMemoryKeys(records) }, emitOwnEvents: false, syncFullHistory: false },
    ...{ shouldSyncHistoryMessage: () => false, markOnlineOnConnect: false },
    ...options,
  });
  sock.ev.on('connection.update', (update) => {
    updates.push(update);
    changed();
  });
  sock.ws.on('CB:ack,class:message', (node: { attrs: Record<string, string> }) => {
    acks.set(node.attrs.id ?? '', node.attrs);
    changed();
  });

  function until<T>(find: () => T | undefined, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        listeners.delete(look);
        reject(new Error(`${what}: not within 15 s; updates: ${JSON.stringify(updates)}`));
      }, 15_000);
      function look(): void {
        const found = find();
        if (found === undefined) return;
        clearTimeout(timer);
        listeners.delete(look);
        resolve(found);
      }
      listeners.add(look);
      look();
    });
  }
  const update = (match: (update: Partial<ConnectionState>) => boolean) => until(() => updates.find(match), `update ${match}`);

  return {
    sock,
    updates,
    update,
    qr: async () => (await update((one) => one.qr !== undefined)).qr ?? '',
    opened: async () => void (await update((one) => one.connection === 'open')),
    closed: async () => {
      const error: unknown = (await update((one) => one.connection === 'close')).lastDisconnect?.error;
      return { code: statusOf(error), data: typeof error === 'object' && error && 'data' in error ? error.data : undefined };
    },
    acked: (id) => until(() => acks.get(id), `ack of ${id}`),
    stop: async () => {
      await sock.end(undefined);
      agent.destroy();
    },
  };
}

/** Links a new device by QR code and gives it logged in. */
export async function link(
  server: WhatsAppServer,
  number: string,
  options: Partial<UserFacingSocketConfig> = {},
): Promise<{ client: Client; credentials: Credentials }> {
  const credentials = newCredentials();
  const first = connect(server, credentials, options);
  const scanned = server.person(number).scan(await first.qr());
  // Restarting is the client's business; the scan settles once it has logged in again.
  scanned.catch(() => undefined);
  await first.closed();
  await first.stop();
  const client = connect(server, credentials, options);
  await client.opened();
  await scanned;
  return { client, credentials };
}

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('output' in error)) return 0;
  const { output } = error;
  return typeof output === 'object' && output && 'statusCode' in output ? Number(output.statusCode) : 0;
}
