import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import {
  type AuthenticationState,
  type BinaryNode,
  DisconnectReason,
  initAuthCreds,
  makeWASocket,
  type SignalDataSet,
  WA_CERT_DETAILS,
  type WASocket,
} from 'baileys';
import { createMemoryKeys, quietLibsignal, silentLog, type WhatsAppServer } from 'whatsapp-test-server';
import type { OutgoingMessage, Restriction } from '../../src/networks/index.ts';
import { PeerMutex } from '../../src/networks/whatsapp/worker/library/signal-repository.ts';
import { createLinkMemory, type LinkMemory } from '../../src/networks/whatsapp/worker/sending/link-memory.ts';
import { KeptMessages, SentMessages } from '../../src/networks/whatsapp/worker/sending/receipts/sent-messages.ts';
import { Sending, type SendingOptions } from '../../src/networks/whatsapp/worker/sending/sending.ts';

/** A linked number with what sends for it, directly on a Baileys socket. */
export interface SendingRig {
  readonly number: string;
  readonly sock: WASocket;
  readonly sending: Sending;
  readonly memory: LinkMemory;
  readonly restrictions: (Restriction | null)[];
  /** Message stanzas as they were written. */
  readonly written: BinaryNode[];
  /** Log lines of the sending side. */
  readonly warnings: string[];
  /** How often keys were stored. */
  storedTimes(): number;
  /** Connects again, with a new socket and a new sending on the same memory. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

/** A new message id. */
export function newId(): string {
  return `3EB0${randomBytes(18).toString('hex').toUpperCase()}`;
}

/** A text message to a number. */
export function textTo(to: string, words: string, messageId = newId()): OutgoingMessage {
  return { messageId, to, type: 'text', content: { text: words }, quoted: null, media: null, mayHaveArrived: false };
}

/** Links a number with the server and opens a connection. */
export async function createSendingRig(server: WhatsAppServer, number: string, limits: SendingOptions['limits'] = {}): Promise<SendingRig> {
  quietLibsignal();
  WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(server.rootKey, 'hex');
  const agent = new Agent({ ca: readFileSync(server.caFile) });
  const store = countedKeys();
  const auth: AuthenticationState = { creds: initAuthCreds(), keys: store.keys };
  const memory = createLinkMemory(new PeerMutex());
  const devices = new Map<string, unknown>();
  const restrictions: (Restriction | null)[] = [];
  const written: BinaryNode[] = [];
  const warnings: string[] = [];
  const sent = new SentMessages(1_000_000);

  /** `made` is given the socket before anything comes over it. */
  async function connect(made: (sock: WASocket) => void, onCode?: (code: string) => void): Promise<WASocket | 'restart'> {
    const sock = makeWASocket({
      auth,
      agent,
      fetchAgent: agent,
      waWebSocketUrl: server.url,
      logger: silentLog,
      emitOwnEvents: false,
      fireInitQueries: false,
      markOnlineOnConnect: false,
      syncFullHistory: false,
      shouldSyncHistoryMessage: () => false,
      defaultQueryTimeoutMs: 5_000,
      transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 10 },
      userDevicesCache: {
        get: <T>(key: string) => devices.get(key) as T | undefined,
        set: (key, value) => void devices.set(key, value),
        del: (key) => void devices.delete(key),
        flushAll: () => devices.clear(),
      },
      makeSignalRepository: memory.makeSignalRepository,
    });
    sock.ev.on('creds.update', (update) => void Object.assign(auth.creds, update));
    made(sock);
    return new Promise((resolve, reject) => {
      sock.ev.on('connection.update', ({ qr, connection, lastDisconnect }) => {
        if (qr !== undefined) onCode?.(qr);
        if (connection === 'open') resolve(sock);
        if (connection !== 'close') return;
        const status = (lastDisconnect?.error as { output?: { statusCode?: number } } | undefined)?.output?.statusCode;
        if (status === DisconnectReason.restartRequired) resolve('restart');
        else reject(lastDisconnect?.error ?? new Error('closed'));
      });
    });
  }

  async function open(): Promise<{ sock: WASocket; sending: Sending }> {
    let sending: Sending | null = null;
    const sock = await connect((made) => {
      sending = sendingOver(made);
    });
    if (sock === 'restart' || sending === null) return open();
    const opened: Sending = sending;
    opened.opened();
    return { sock, sending: opened };
  }

  function sendingOver(sock: WASocket): Sending {
    const sendNode = sock.sendNode.bind(sock);
    sock.sendNode = (node) => {
      if (node.tag === 'message') written.push(node);
      return sendNode(node);
    };
    const log = {
      warn: (_: object, message: string) => void warnings.push(message),
      error: (_: object, message: string) => void warnings.push(message),
    };
    return new Sending({
      sock,
      memory,
      agent,
      log,
      records: chatRecords(),
      keysSoon: store.keys,
      onNewChats: () => undefined,
      onRestriction: (restriction) => void restrictions.push(restriction),
      kept: new KeptMessages({ instanceId: number, memory: sent, store: null, records: { takeAlong: () => undefined }, log }),
      events: { wants: () => false, store: async () => undefined },
      limits,
    });
  }

  let scanned: Promise<void> | null = null;
  await connect(
    () => undefined,
    (code) => {
      scanned ??= server.person(number).scan(code);
    },
  );
  let current = await open();
  await scanned;

  return {
    number,
    get sock() {
      return current.sock;
    },
    get sending() {
      return current.sending;
    },
    memory,
    restrictions,
    written,
    warnings,
    storedTimes: store.times,
    async reconnect() {
      current.sending.close();
      current.sock.end(undefined);
      current = await open();
    },
    async close() {
      current.sending.close();
      memory.uploads.close();
      await current.sock.end(undefined);
      agent.destroy();
    },
  };
}

/** The link's own records, in memory. */
function chatRecords(): SendingOptions['records'] {
  const kept = new Map<string, unknown>();
  return {
    read: async (names) => new Map(names.flatMap((name) => (kept.get(name) == null ? [] : [[name, kept.get(name)] as const]))),
    async write(records) {
      for (const [name, value] of records) kept.set(name, value);
    },
    async writeSoon(records) {
      for (const [name, value] of records) kept.set(name, value);
    },
  };
}

/** Keys in memory, and how often they were written. */
function countedKeys() {
  const keys = createMemoryKeys();
  let writes = 0;
  return {
    times: () => writes,
    keys: {
      ...keys,
      set(data: SignalDataSet) {
        writes++;
        return keys.set(data);
      },
    },
  };
}
