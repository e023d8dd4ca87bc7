import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import {
  type AuthenticationState,
  type BinaryNode,
  type CacheStore,
  initAuthCreds,
  makeWASocket,
  type SignalDataSet,
  type SignalDataTypeMap,
  WA_CERT_DETAILS,
  type WASocket,
} from 'baileys';
import pino from 'pino';
import type { NetworkSettings } from './whatsapp-network.ts';

// What the gateway is measured against: the library alone, as its own documentation uses it, with everything in memory.
// It sends texts with so many in flight as the gateway's load has connections, and waits for each acknowledgement.

interface Task {
  readonly network: NetworkSettings;
  readonly senders: readonly string[];
  readonly recipients: readonly string[];
  readonly inFlight: number;
  /** Every measured text goes to a new recipient, whose number (digits) begins with this; null: to the recipients above. */
  readonly newRecipients: string | null;
}

const { network, senders, recipients, inFlight, newRecipients } = JSON.parse(process.argv[2] ?? '{}') as Task;
// The Signal library prints keys.
console.info = () => undefined;
WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(network.WHATSAPP_ROOT_KEY, 'hex');
const agent = new Agent({ ca: readFileSync(network.WHATSAPP_CA_FILE) });
const logger = pino({ level: 'silent' });

/** One linked number with the acknowledgements it waits for. */
interface Linked {
  readonly sock: WASocket;
  readonly acknowledged: Map<string, (error: string | undefined) => void>;
}

function memoryKeys(): AuthenticationState['keys'] {
  const values = new Map<string, unknown>();
  return {
    async get<Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) {
      const found: Record<string, SignalDataTypeMap[Type]> = {};
      for (const id of ids) {
        const value = values.get(`${type} ${id}`);
        if (value !== undefined) found[id] = value as SignalDataTypeMap[Type];
      }
      return found;
    },
    async set(data: SignalDataSet) {
      for (const [type, entries] of Object.entries(data)) {
        for (const [id, value] of Object.entries(entries)) {
          if (value === null) values.delete(`${type} ${id}`);
          else values.set(`${type} ${id}`, value);
        }
      }
    },
  };
}

function memoryCache(): CacheStore {
  const values = new Map<string, unknown>();
  return {
    get: <T>(key: string) => values.get(key) as T | undefined,
    set: (key, value) => void values.set(key, value),
    del: (key) => void values.delete(key),
    flushAll: () => values.clear(),
  };
}

/** Connects with this state until the number is linked and open. */
function open(number: string, auth: AuthenticationState): Promise<WASocket> {
  const userDevicesCache = memoryCache();
  return new Promise((resolve, reject) => {
    const connect = () => {
      const sock = makeWASocket({
        auth,
        logger,
        agent,
        fetchAgent: agent,
        userDevicesCache,
        waWebSocketUrl: network.WHATSAPP_URL,
        emitOwnEvents: false,
        syncFullHistory: false,
        shouldSyncHistoryMessage: () => false,
        markOnlineOnConnect: false,
      });
      sock.ev.on('creds.update', (update) => Object.assign(auth.creds, update));
      sock.ev.on('connection.update', ({ qr, connection, lastDisconnect }) => {
        if (qr !== undefined) process.send?.({ scan: { number, code: qr } });
        if (connection === 'open') resolve(sock);
        if (connection !== 'close') return;
        const error = lastDisconnect?.error;
        const restart = error !== undefined && 'output' in error && JSON.stringify(error.output).includes('515');
        if (restart) connect();
        else reject(error ?? new Error('closed'));
      });
    };
    connect();
  });
}

async function linked(number: string): Promise<Linked> {
  const sock = await open(number, { creds: initAuthCreds(), keys: memoryKeys() });
  const acknowledged: Linked['acknowledged'] = new Map();
  sock.ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => {
    acknowledged.get(attrs.id ?? '')?.(attrs.error);
    acknowledged.delete(attrs.id ?? '');
  });
  return { sock, acknowledged };
}

let turn = 0;
function nextRecipient(): string {
  const place = turn++;
  return newRecipients === null ? (recipients[place % recipients.length] ?? '') : newRecipients + String(place).padStart(6, '0');
}

let lastId = 0;
/** Sends a text and waits for its acknowledgement. Rejects when the network refuses it. */
async function send({ sock, acknowledged }: Linked, to: string): Promise<void> {
  const messageId = `3EB0${String(++lastId).padStart(18, '0')}`;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  acknowledged.set(messageId, (error) => (error === undefined ? resolve() : reject(new Error(`refused: ${error}`))));
  await sock.sendMessage(`${to}@s.whatsapp.net`, { text: 'Hello from the benchmark, how are you?', linkPreview: null }, { messageId });
  await promise;
}

async function measure(numbers: readonly Linked[], seconds: number) {
  const latencies: number[] = [];
  let failures = 0;
  const until = performance.now() + seconds * 1000;
  const worker = async (number: Linked): Promise<void> => {
    while (performance.now() < until) {
      const to = nextRecipient();
      const begun = performance.now();
      try {
        await send(number, to);
        latencies.push(performance.now() - begun);
      } catch {
        failures++;
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, place) => worker(numbers[place % numbers.length] as Linked)));
  latencies.sort((a, b) => a - b);
  const percentile = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN;
  return { answered: latencies.length, perSecond: latencies.length / seconds, p50: percentile(0.5), p99: percentile(0.99), failures };
}

const numbers = await Promise.all(senders.map(linked));
for (const number of numbers) for (const to of recipients) await send(number, to);
process.on('message', async ({ seconds }: { seconds: number }) => {
  process.send?.(await measure(numbers, seconds));
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
