import type { Agent } from 'node:https';
import {
  type AuthenticationState,
  type BinaryNode,
  Browsers,
  type CacheStore,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  jidDecode,
  makeWASocket,
  proto,
  type SocketConfig,
  type WASocket,
} from 'baileys';
import { systemClock } from '../../../../core/index.ts';
import type { Closing } from '../../closing.ts';
import type { PasskeyEvent } from '../../protocol.ts';
import type { LibraryLog } from '../library/library-log.ts';
import { boundLidCache } from '../library/lid-cache.ts';
import { boundClosing, holdFrames } from '../library/web-socket.ts';
import { expirationIn } from './client-expiration.ts';
import { type ClientProps, clientPropsOf } from './client-props.ts';
import { noteClosing } from './connection-end.ts';
import { Heartbeat } from './heartbeat.ts';
import { answerLinkingNotifications } from './linking-notifications.ts';
import { followMigration } from './migration.ts';
import { PairingCodes } from './pairing-codes.ts';
import { PasskeyCeremony } from './passkey/ceremony.ts';
import { ping } from './questions.ts';
import { followName } from './settings-sync.ts';

/** What a connection is made of. */
export interface ConnectionOptions {
  readonly auth: AuthenticationState;
  /** The version of WhatsApp Web that it says it is: N of 2.3000.N. */
  readonly revision: number;
  readonly url: string | null;
  /** Trusts the authorities of this installation; null: Node's own. */
  readonly agent: Agent | null;
  /** Whether the agent connects through a proxy. */
  readonly proxied: boolean;
  readonly keepAliveMs: number;
  readonly log: LibraryLog;
  readonly caches: ConnectionCaches;
  readonly makeSignalRepository: SocketConfig['makeSignalRepository'];
  readonly listener: ConnectionListener;
}

/** Caches that would otherwise be made anew for every connection. */
export interface ConnectionCaches {
  readonly userDevices: CacheStore;
  readonly messageRetries: CacheStore;
  readonly callOffers: CacheStore;
  readonly placeholderResends: CacheStore;
}

/** What a connection tells. */
export interface ConnectionListener {
  /** What the QR codes of the attempt hold; told again with another secret when the network asks for one, for the same references. */
  codes(codes: readonly string[]): void;
  /** How linking with a passkey goes on. */
  passkey(event: PasskeyEvent): void;
  /** What the network says of the account that is being linked; told before `paired`. */
  clientProps(props: ClientProps): void;
  /** A phone has linked. Nothing is answered to the network before the promise is fulfilled; when it is rejected, nothing is answered at all. */
  paired(): Promise<void>;
  /** The connection is logged in; digits of the number. */
  open(phoneNumber: string): void;
  /** The network says when this version ends (epoch milliseconds), or with null that it does not. */
  versionExpires(at: number | null): void;
  /** The credentials have changed. */
  credentialsChanged(): void;
  /** The last word. */
  closed(closing: Closing): void;
}

/** One connection to the network. It ends by itself when the network is not heard of. */
export interface Connection {
  readonly sock: WASocket;
  /** Of a connection that is to be linked; null for one that logs in. */
  readonly passkey: PasskeyCeremony | null;
  /** Ends the connection; `closed` is told as for any other end. Resolves when it is closed. */
  end(): Promise<void>;
}

const browser = Browsers.macOS('Chrome');
/** As which Baileys registers that browser. */
const deviceType = proto.DeviceProps.PlatformType.CHROME;
/** How long until a connection must be logged in or show its first code, and from the scan to the restart that follows, in milliseconds. */
const openingMs = 30_000;
const queryMs = 15_000;
/** How long after the login what has waited for this device may take to arrive; WhatsApp Web sends nothing before. */
const catchingUpMs = 10_000;
/** The rotation of the codes is the gateway's; Baileys' own must never come to an end. */
const neverMs = 2 ** 31 - 1;

/** Calls back once the connection is logged in and has what waited for it, or when that takes too long. */
function whenCaughtUp(open: () => void) {
  let caughtUp = false;
  let loggedIn = false;
  let timer: NodeJS.Timeout | undefined;
  let told = false;
  const done = () => {
    clearTimeout(timer);
    if (!told) open();
    told = true;
  };
  return {
    loggedIn() {
      loggedIn = true;
      if (caughtUp) done();
      else timer = setTimeout(done, catchingUpMs);
    },
    caughtUp() {
      caughtUp = true;
      if (loggedIn) done();
    },
    cancel: () => clearTimeout(timer),
  };
}

/** Connects; everything that happens is told to the listener. */
export function connect(options: ConnectionOptions): Connection {
  const { auth, listener, agent, caches } = options;
  const sock = makeWASocket({
    auth,
    browser,
    version: [2, 3000, options.revision],
    ...(options.url === null ? {} : { waWebSocketUrl: options.url }),
    // A plain socket (ws://) has nobody to trust; uploads always have.
    ...(agent === null || (options.url?.startsWith('ws:') === true && !options.proxied) ? {} : { agent }),
    ...(agent === null ? {} : { fetchAgent: agent }),
    logger: options.log,
    // The heartbeat below is our own: Baileys asks at fixed times.
    keepAliveIntervalMs: neverMs,
    // The bound on opening is below. Given one, Baileys would also time every write, which costs more than writing.
    connectTimeoutMs: 0,
    defaultQueryTimeoutMs: queryMs,
    qrTimeout: neverMs,
    // Records are tried again where they are stored; trying again here would hold up the sends of the number for half a minute.
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 100 },
    emitOwnEvents: false,
    syncFullHistory: false,
    shouldSyncHistoryMessage: () => false,
    // They ask for settings that matter to a person at a screen.
    fireInitQueries: false,
    markOnlineOnConnect: false,
    generateHighQualityLinkPreview: false,
    enableRecentMessageCache: false,
    shouldIgnoreJid: (jid) => isJidGroup(jid) === true || isJidBroadcast(jid) === true || isJidNewsletter(jid) === true,
    userDevicesCache: caches.userDevices,
    msgRetryCounterCache: caches.messageRetries,
    callOfferCache: caches.callOffers,
    placeholderResendCache: caches.placeholderResends,
    makeSignalRepository: boundLidCache(options.makeSignalRepository),
  });
  const { ws, ev } = sock;
  if (options.proxied) {
    const notThrough = (error: unknown) => options.log.error(error, 'the proxy of a number cannot be reached, or does not let it through');
    ws.on('error', notThrough);
    ws.on('open', () => ws.off('error', notThrough));
  }
  const closing = noteClosing(ws);
  boundClosing(ws);
  followMigration(sock);

  const heartbeat = new Heartbeat({
    clock: systemClock,
    random: Math.random,
    everyMs: options.keepAliveMs,
    ping: (withinMs) => ping(sock, withinMs),
    dead: () => void sock.end(new Error('the network is not heard of any more')),
  });

  const giveUp = () => void sock.end(new Error('the network did not let the connection in in time'));
  const opened = whenCaughtUp(() => listener.open(jidDecode(auth.creds.me?.id)?.user ?? ''));
  let opening = setTimeout(giveUp, openingMs);
  const { promise: closed, resolve: hasClosed } = Promise.withResolvers<void>();

  const passkey =
    auth.creds.me === undefined
      ? new PasskeyCeremony({ sock, creds: auth.creds, deviceType, tell: (event) => listener.passkey(event) })
      : null;
  if (passkey !== null) {
    const codes = new PairingCodes(auth.creds, browser);
    ws.on('CB:iq,type:set,pair-device', (stanza: BinaryNode) => {
      clearTimeout(opening);
      heartbeat.start();
      listener.codes(codes.of(stanza));
    });
    ws.prependListener('CB:iq,,pair-success', (stanza: BinaryNode) => {
      codes.settle();
      listener.clientProps(clientPropsOf(stanza));
    });
    answerLinkingNotifications(sock, {
      refresh() {
        const redrawn = codes.withNewSecret();
        if (redrawn !== null) listener.codes(redrawn);
      },
      codeTyped: () => codes.settle(),
      passkeyRequested(node) {
        codes.settle();
        void passkey.requested(node);
      },
      passkeyContinued: (node) => void passkey.continued(node),
    });
  } else followName(sock, options.log);
  ws.on('CB:ib,,client_expiration', (stanza: BinaryNode) => {
    const at = expirationIn(stanza);
    if (at !== undefined) listener.versionExpires(at);
  });
  ev.on('creds.update', () => listener.credentialsChanged());
  ev.on('connection.update', (update) => {
    if (update.isNewLogin === true) {
      // Before the answer to the phone goes out, in the same turn.
      holdFrames(ws, listener.paired());
      opening = setTimeout(giveUp, openingMs);
    }
    if (update.receivedPendingNotifications === true) opened.caughtUp();
    if (update.connection === 'open') {
      clearTimeout(opening);
      heartbeat.start();
      opened.loggedIn();
    }
    if (update.connection === 'close') {
      clearTimeout(opening);
      opened.cancel();
      heartbeat.stop();
      hasClosed();
      listener.closed(closing());
    }
  });

  return {
    sock,
    passkey,
    end() {
      void sock.end(undefined);
      return closed;
    },
  };
}
