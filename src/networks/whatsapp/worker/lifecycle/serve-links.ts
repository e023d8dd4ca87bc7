import { Agent } from 'node:https';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { MessagePort } from 'node:worker_threads';
import { Curve, WA_CERT_DETAILS } from 'baileys';
import { hourMs, MemoryRelease } from '../../../../core/index.ts';
import { type CallMessage, type FromWorker, manySends, type StoreResult, type ToWorker, type WorkerSetup } from '../../protocol.ts';
import { MessageBatch } from '../../thread-messages.ts';
import { ExpiringCache } from '../library/bounded-cache.ts';
import { createLibraryLog, createWorkerLog, type ForwardLine } from '../library/library-log.ts';
import { correctSessionTrials } from '../library/signal-decryption.ts';
import { isUsedOften } from '../library/signal-keys.ts';
import { PeerMutex } from '../library/signal-repository.ts';
import { isSignedBy } from '../library/signatures.ts';
import { createLinkMemory, type LinkMemory } from '../sending/link-memory.ts';
import { SentMessages } from '../sending/receipts/sent-messages.ts';
import { WorkerLink } from './link.ts';
import { RecordCache } from './record-cache.ts';
import { StoreRequests } from './store-requests.ts';

const maximumRecords = 10_000;
/** The memory for sent messages of a worker that does not store them, and of one that does, which reads older ones back. */
const sentBytes = { notStored: 16 * 1024 * 1024, stored: 4 * 1024 * 1024 };
const maximumDevices = 50_000;
/** An expired entry costs a query and a new SignalSession per recipient. The network reports changes of a device list as they happen. */
const devicesMs = 24 * hourMs;

interface OpenLink {
  readonly instanceId: string;
  readonly link: WorkerLink;
  readonly requests: StoreRequests;
}

/** Handles the main thread's messages on this port for as long as the thread lives. */
export function serveLinks(port: MessagePort, setup: WorkerSetup): void {
  // The libraries keep these as module state, which here applies to this thread only.
  correctSessionTrials();
  Curve.verify = isSignedBy;
  if (setup.rootKey !== null) WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(setup.rootKey);
  const agent = setup.ca === null ? null : createTrustingAgent(setup.ca);
  const batch = new MessageBatch<FromWorker>((messages, transfer) => port.postMessage(messages, transfer), unpostable);
  const post = (message: FromWorker, transfer: readonly ArrayBuffer[] = []) => batch.add(message, transfer);
  const forward: ForwardLine = (level, line) => {
    // Baileys warns twice at each login of what the gateway does on purpose.
    if (level !== 'debug' || setup.debug) post({ type: 'log', level, line });
  };

  const links = new Map<number, OpenLink>();
  const firstVersion = Promise.withResolvers<number>();
  let version = firstVersion.promise;
  // Kept by instance, because the session opens a new link for each reconnect.
  const memories = new Map<string, LinkMemory>();
  const peers = new PeerMutex();
  const records = new RecordCache(maximumRecords, isUsedOften);
  const sent = new SentMessages(setup.keepSent ? sentBytes.stored : sentBytes.notStored);
  const devices = new ExpiringCache({ limit: maximumDevices, lifetimeMs: devicesMs });
  /** What Baileys remembers of incoming messages and calls. */
  const library = new ExpiringCache({ limit: 20_000, lifetimeMs: hourMs });

  const notReleased = () => forward('debug', { instanceId: null, message: 'memory could not be released', error: null });
  const afterLogins = new MemoryRelease(notReleased);
  const afterSends = new MemoryRelease(notReleased, manySends);

  process.on('unhandledRejection', (reason) => {
    const error = reason instanceof Error ? reason.name : null;
    forward('warn', { instanceId: null, message: 'the WhatsApp library left an error unhandled', error });
  });

  function open({ link: number, instanceId, proxy, asksFirst }: Extract<ToWorker, { type: 'open' }>): void {
    const requests = new StoreRequests(number, post);
    const link = new WorkerLink({
      instanceId,
      store: requests,
      cache: records.ofLink(number),
      log: createWorkerLog(forward, instanceId),
      libraryLog: createLibraryLog(forward, instanceId),
      setup,
      agent,
      proxy,
      asksFirst,
      version: () => version,
      caches: {
        userDevicesCache: devices.part(instanceId),
        msgRetryCounterCache: library.part(`retries ${instanceId}`),
        callOfferCache: library.part(`calls ${instanceId}`),
      },
      memory(fresh) {
        if (fresh) forget(instanceId);
        const known = memories.get(instanceId) ?? createLinkMemory(peers);
        memories.set(instanceId, known);
        return known;
      },
      sent,
      onEvent(event) {
        if (event.type === 'open') afterLogins.soon();
        post({ type: 'event', link: number, event });
      },
      ended(linked) {
        links.delete(number);
        if (!linked) letGo(instanceId);
        requests.failAll('the link has ended');
      },
    });
    links.set(number, { instanceId, link, requests });
    void link.start();
  }

  async function answer(message: CallMessage): Promise<void> {
    const { link, call } = message;
    const found = links.get(link);
    try {
      const value = await carryOut(message, found?.link);
      if (message.kind === 'send') afterSends.soon();
      // The instance may be linked to another number next time.
      if (message.kind === 'logout' && value === null && found !== undefined) letGo(found.instanceId);
      post({ type: 'answer', link, call, result: { ok: true, value } });
    } catch (error) {
      post({ type: 'answer', link, call, result: { ok: false, reason: error instanceof Error ? error.message : 'failed' } });
    }
  }

  /** A link of the instance has ended for good. A newer one, if there is any, uses what is remembered. */
  function letGo(instanceId: string): void {
    if (![...links.values()].some(({ instanceId: other }) => other === instanceId)) forget(instanceId);
  }

  function forget(instanceId: string): void {
    memories.get(instanceId)?.uploads.close();
    memories.delete(instanceId);
    void devices.part(instanceId).flushAll();
    sent.forgetAll(instanceId);
  }

  /** A message that cannot be posted. What waits for it must be settled, or it would wait forever. */
  function unpostable(message: FromWorker): void {
    const { type } = message;
    if (type === 'answer') post({ ...message, result: { ok: false, reason: 'an answer cannot be handed over' } });
    if (type === 'store')
      stored(message.link, message.request, { ok: false, reason: 'a request to the store cannot be handed over', fault: null });
  }

  function stored(number: number, request: number, result: StoreResult): void {
    links.get(number)?.requests.settle(request, result);
  }

  const received = (message: ToWorker): void => {
    switch (message.type) {
      case 'open':
        open(message);
        return;
      case 'call':
        void answer(message);
        return;
      case 'follow':
        links.get(message.link)?.link.follow(message.events);
        return;
      case 'version':
        firstVersion.resolve(message.revision);
        version = Promise.resolve(message.revision);
        return;
      case 'stored':
        stored(message.link, message.request, message.result);
        return;
      case 'beat':
        post({ type: 'beat' });
        return;
      case 'end':
        for (const memory of memories.values()) memory.uploads.close();
        batch.flush();
        // This ends only the thread. It is needed because Baileys leaves timers that would keep it alive for half a minute.
        process.exit();
    }
  };
  port.on('message', (messages: readonly ToWorker[]) => {
    for (const message of messages) received(message);
  });
}

/** An ended link answers like a closed one, except that a logout must not appear to have succeeded. */
async function carryOut(message: CallMessage, link: WorkerLink | undefined) {
  switch (message.kind) {
    case 'send':
      return link?.send(message.with) ?? ({ outcome: 'not_open' } as const);
    case 'knows':
      return link?.knows(message.with) ?? null;
    case 'check':
      return link?.check(message.with) ?? message.with.map(() => ({ reachable: null, networkNumber: null }));
    case 'probe':
      return link?.probe() ?? false;
    case 'rotate_key':
      await link?.rotateKey(message.with);
      return null;
    case 'pairing_code':
      return link?.pairingCode(message.with) ?? null;
    case 'passkey_sign':
      await link?.signPasskey(message.with);
      return null;
    case 'passkey_confirm':
      await link?.confirmPasskey();
      return null;
    case 'abandon':
      return link?.abandon() ?? true;
    case 'logout':
      return link?.logout() ?? ('ended' as const);
    case 'close':
      await link?.close();
      return null;
  }
}

/**
 * An agent that trusts this certificate authority (PEM) in addition to Node's own. All connections share one, because reading the authorities for
 * each costs more than the rest of connecting.
 */
function createTrustingAgent(ca: string): Agent {
  return new Agent({ secureContext: createSecureContext({ ca: [...getCACertificates('default'), ca] }) });
}
