import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import makeWASocket, { useMultiFileAuthState, WA_CERT_DETAILS, type WASocket } from 'baileys';
import { type Person, silentLog, type WhatsAppServer } from 'whatsapp-test-server';
import { waitFor } from './wait-for.ts';

/** A number linked by Baileys alone, whose keys are in a folder of `useMultiFileAuthState`. */
export interface PlainBaileys {
  readonly sock: WASocket;
  /** Ends the connection; resolves when everything is in the folder. */
  stop(): Promise<void>;
}

/** Connects with the keys in the folder, as a program does that uses Baileys alone. */
export async function connectPlain(server: WhatsAppServer, folder: string) {
  // The library knows the root of trust only as a process-wide constant.
  WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(server.rootKey, 'hex');
  const { state, saveCreds } = await useMultiFileAuthState(folder);
  const agent = new Agent({ ca: readFileSync(server.caFile) });
  const saves: Promise<unknown>[] = [];
  const { get, set } = state.keys;
  const keys: typeof state.keys = {
    get,
    async set(data) {
      const stored = Promise.resolve(set(data));
      saves.push(stored);
      await stored;
    },
  };
  const seen = { qr: '', state: 'connecting', closed: false };
  const sock = makeWASocket({
    ...{ waWebSocketUrl: server.url, agent, fetchAgent: agent, logger: silentLog, auth: { creds: state.creds, keys } },
    ...{ emitOwnEvents: false, syncFullHistory: false, shouldSyncHistoryMessage: () => false, markOnlineOnConnect: false },
  });
  sock.ev.on('creds.update', () => void saves.push(saveCreds()));
  sock.ev.on('connection.update', ({ connection, qr }) => {
    if (qr !== undefined) seen.qr = qr;
    if (connection === 'close') seen.closed = true;
    if (connection !== undefined) seen.state = connection;
  });
  return {
    sock,
    qr: () =>
      waitFor(() => {
        if (seen.qr === '') throw new Error('no code yet');
        return seen.qr;
      }),
    opened: () => waitFor(() => expectState(seen.state, 'open')),
    closed: () => waitFor(() => expectState(seen.state, 'close')),
    async stop() {
      await sock.end(undefined);
      await Promise.all(saves);
      agent.destroy();
    },
  };
}

/** Links a number so. */
export async function linkPlain(server: WhatsAppServer, folder: string, phone: Person, by: 'scan' | 'code'): Promise<PlainBaileys> {
  const first = await connectPlain(server, folder);
  const qr = await first.qr();
  const linked = by === 'scan' ? phone.scan(qr) : phone.enterPairingCode(await first.sock.requestPairingCode(phone.number));
  linked.catch(() => undefined);
  await first.closed();
  await first.stop();
  const second = await connectPlain(server, folder);
  await second.opened();
  await linked;
  return second;
}

function expectState(state: string, expected: string): void {
  if (state !== expected) throw new Error(`the connection is ${state}, not ${expected}`);
}
