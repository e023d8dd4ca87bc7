import type { Agent } from 'node:https';
import {
  type AuthenticationState,
  type BinaryNode,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  jidDecode,
  makeWASocket,
  type SignalKeyStore,
  type SocketConfig,
  type UserFacingSocketConfig,
  type WASocket,
} from 'baileys';
import { systemClock, withTimeout } from '../../../../core/index.ts';
import type { Closing } from '../../closing.ts';
import { acknowledgeAppStateNotices } from '../library/app-state-notices.ts';
import type { LibraryLog, WorkerLog } from '../library/library-log.ts';
import { boundLidLookups } from '../library/lid-lookups.ts';
import { mediaConnection } from '../library/media-connection.ts';
import { neverAppearOnline } from '../library/never-online.ts';
import { quickQuery } from '../library/quick-query.ts';
import { storeStartsIn, watchUnreadable } from '../library/signal-repository.ts';
import { boundClosing, endWhenRefused, holdFrames, holdLogin, knowBareServer } from '../library/web-socket.ts';
import { followProtocolMessages } from '../sending/protocol-messages.ts';
import { Heartbeat } from './heartbeat.ts';
import { replaceLostKeys } from './lost-keys.ts';
import { expirationIn, noteClosing } from './network-notices.ts';
import { browser, Pairing, type PairingListener } from './pairing.ts';
import { ping } from './questions.ts';

export interface ConnectionOptions {
  readonly auth: AuthenticationState;
  /** The same keys, for what is stored with the next write. */
  readonly keysSoon: SignalKeyStore;
  /** The version of WhatsApp Web to claim: N of 2.3000.N. */
  readonly revision: number;
  readonly url: string | null;
  /** An agent that trusts this installation's certificate authorities; null for Node's own. */
  readonly agent: Agent | null;
  /** Whether the agent connects through a proxy. */
  readonly proxied: boolean;
  readonly keepAliveMs: number;
  readonly log: WorkerLog;
  readonly libraryLog: LibraryLog;
  readonly caches: ConnectionCaches;
  readonly makeSignalRepository: SocketConfig['makeSignalRepository'];
  readonly listener: ConnectionListener;
  /** Rejects when the number is another server's by now; null when nobody is to be asked. */
  readonly mayLogIn: (() => Promise<void>) | null;
}

/** Caches that outlive a connection, as options of Baileys' socket. */
export type ConnectionCaches = Pick<UserFacingSocketConfig, 'userDevicesCache' | 'msgRetryCounterCache' | 'callOfferCache'>;

/** Receives the events of a connection. */
export interface ConnectionListener extends PairingListener {
  /** A phone has linked. Nothing is sent to the network before the promise is fulfilled, and nothing at all if it is rejected. */
  paired(): Promise<void>;
  /** The connection is logged in. `phoneNumber` is digits. */
  open(phoneNumber: string): void;
  /** When the network will stop accepting this version (epoch milliseconds); null when it will not. */
  versionExpires(at: number | null): void;
  credentialsChanged(): void;
  /** The connection has ended. This is the last event. */
  closed(closing: Closing): void;
}

/** One connection to the network. It ends by itself when the network stops answering. */
export interface Connection {
  readonly sock: WASocket;
  /** null for a connection that logs in. */
  readonly pairing: Pairing | null;
  /** Ends the connection; `closed` is called as for any other end. Resolves when it is closed. */
  end(): Promise<void>;
}

/** How long a connection may take to log in or to show its first code, and how long from the scan to the restart after it, in milliseconds. */
const openingMs = 30_000;
const queryMs = 15_000;
/**
 * How long to wait after the login for the stanzas that were queued for this device, in milliseconds. WhatsApp Web sends nothing before they have
 * arrived.
 */
const catchingUpMs = 10_000;
/**
 * What Baileys (7.0.0-rc14, messages-recv.js) has asked the own phone for: everything, so that it asks for nothing. It would do so before it asks the
 * sender, wait two seconds during which the number receives nothing else, and not ask the sender at all when that fails.
 */
const askedAlready: NonNullable<SocketConfig['placeholderResendCache']> = {
  get: <T>() => true as T,
  set: () => undefined,
  del: () => undefined,
  flushAll: () => undefined,
};
/** The gateway rotates the codes itself, so Baileys' rotation must never end. */
const neverMs = 2 ** 31 - 1;

/** Connects. All events go to the listener. */
export function connect(options: ConnectionOptions): Connection {
  const { auth, listener, agent, caches } = options;
  const sock = makeWASocket({
    auth,
    browser,
    version: [2, 3000, options.revision],
    ...(options.url === null ? {} : { waWebSocketUrl: options.url }),
    // A plain socket (ws://) uses no certificates; uploads always do.
    ...(agent === null || (options.url?.startsWith('ws:') === true && !options.proxied) ? {} : { agent }),
    ...(agent === null ? {} : { fetchAgent: agent }),
    logger: options.libraryLog,
    // The heartbeat below is used instead, because Baileys pings at fixed times.
    keepAliveIntervalMs: neverMs,
    // The time limit for opening is set below. With a limit here, Baileys would also time every write, which costs more than the write.
    connectTimeoutMs: 0,
    defaultQueryTimeoutMs: queryMs,
    qrTimeout: neverMs,
    // Failed writes are tried again where records are stored. Trying again here would block the number's sends for half a minute.
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 100 },
    emitOwnEvents: false,
    syncFullHistory: false,
    shouldSyncHistoryMessage: () => false,
    // These queries ask for settings that only matter to a person at a screen.
    fireInitQueries: false,
    markOnlineOnConnect: false,
    generateHighQualityLinkPreview: false,
    enableRecentMessageCache: false,
    shouldIgnoreJid: (jid) => isJidGroup(jid) === true || isJidBroadcast(jid) === true || isJidNewsletter(jid) === true,
    ...caches,
    placeholderResendCache: askedAlready,
    makeSignalRepository: boundLidLookups(
      watchUnreadable(storeStartsIn(options.keysSoon, options.makeSignalRepository), {
        isOver: () => isOver,
        unreadable: (error) => unreadable(error),
      }),
    ),
  });
  let isOver = false;
  const unreadable = (error: unknown) => {
    options.log.error(error, 'the keys of a message could not be read; the message comes again over the next connection');
    void sock.end(undefined);
  };
  const { ws, ev } = sock;
  knowBareServer(ws);
  sock.query = quickQuery(sock, queryMs);
  sock.refreshMediaConn = mediaConnection(sock);
  neverAppearOnline(sock, options.log);
  if (options.proxied) {
    const notThrough = (error: unknown) => options.log.error(error, 'the proxy of a number cannot be reached, or does not let it through');
    ws.on('error', notThrough);
    ws.on('open', () => ws.off('error', notThrough));
  }
  const closing = noteClosing(ws);
  endWhenRefused(ws);
  boundClosing(ws);
  if (options.mayLogIn !== null) holdLogin(ws, options.mayLogIn);
  followProtocolMessages(sock, options.log);

  const heartbeat = new Heartbeat({
    clock: systemClock,
    random: Math.random,
    everyMs: options.keepAliveMs,
    ping: (withinMs) => ping(sock, withinMs),
    dead: () => void sock.end(new Error('the network does not answer any more')),
  });

  const giveUp = () => void sock.end(new Error('the network did not let the connection in in time'));
  const loggedIn = Promise.withResolvers<void>();
  const caughtUp = Promise.withResolvers<void>();
  void loggedIn.promise
    .then(() => withTimeout(systemClock, catchingUpMs, caughtUp.promise, () => undefined))
    .then(() => {
      if (!isOver) listener.open(jidDecode(auth.creds.me?.id)?.user ?? '');
    });
  let opening = setTimeout(giveUp, openingMs);
  const { promise: closed, resolve: hasClosed } = Promise.withResolvers<void>();

  const pairing = auth.creds.me === undefined ? new Pairing({ sock, creds: auth.creds, log: options.log, listener }) : null;
  if (pairing === null) {
    acknowledgeAppStateNotices(sock);
    replaceLostKeys(sock, options.log);
  }
  ws.on('CB:iq,type:set,pair-device', () => {
    clearTimeout(opening);
    heartbeat.start();
  });
  ws.on('CB:ib,,client_expiration', (stanza: BinaryNode) => {
    const at = expirationIn(stanza);
    if (at !== undefined) listener.versionExpires(at);
  });
  ev.on('creds.update', () => listener.credentialsChanged());
  ev.on('connection.update', (update) => {
    if (update.isNewLogin === true) {
      // Called in the same turn, before the answer to the phone is sent.
      holdFrames(ws, listener.paired());
      opening = setTimeout(giveUp, openingMs);
    }
    if (update.receivedPendingNotifications === true) caughtUp.resolve();
    if (update.connection === 'open') {
      clearTimeout(opening);
      heartbeat.start();
      loggedIn.resolve();
    }
    if (update.connection === 'close') {
      clearTimeout(opening);
      heartbeat.stop();
      isOver = true;
      caughtUp.resolve();
      hasClosed();
      listener.closed(closing());
    }
  });

  return {
    sock,
    pairing,
    end() {
      void sock.end(undefined);
      return closed;
    },
  };
}
