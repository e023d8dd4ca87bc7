import type { Agent } from 'node:https';
import { jidNormalizedUser, type proto } from 'baileys';
import { createRandomSource, Deadlines, systemClock } from '../../../../core/index.ts';
import { allKinds, type MediaUse, type WhatsAppContext, type WhatsAppMedia, type WhatsAppMessage } from '../../../../kinds/index.ts';
import type { MediaFile, OutgoingMessage, Reachability, Restriction, SendOutcome } from '../../../index.ts';
import { Acknowledgements } from './acknowledgements.ts';
import type { LinkMemory } from './link-memory.ts';
import { checkNumbers } from './numbers-check.ts';
import { Outbox, type Written } from './outbox.ts';
import { PrivacyTokens } from './privacy-tokens.ts';
import { type Recipient, Recipients, type Unreachable } from './recipients.ts';
import { ReachOutBlock } from './restrictions.ts';
import type { SendingLog, SendingSocket } from './socket.ts';
import type { UploadType } from './upload.ts';

/** Sends and checks over one open connection. */
export interface Sending {
  /** Hands a message over and waits (bounded) for its acknowledgement. Messages to one recipient go out in the order of the calls. Never rejects. */
  send(message: OutgoingMessage): Promise<SendOutcome>;
  /** One answer per number (digits), in order. Never rejects. */
  check(numbers: readonly string[]): Promise<Reachability[]>;
  /** Ends every wait at once: what is on the wire counts as unknown, the rest as not sent. */
  close(): void;
}

export interface SendingOptions {
  /** Open; its `userDevicesCache` must keep lists for long, and its `makeSignalRepository` must be the memory's. */
  readonly sock: SendingSocket;
  /** Digits of the number that sends. */
  readonly selfNumber: string;
  readonly memory: LinkMemory;
  readonly log: SendingLog;
  /** Connects to the media servers; null: Node's own. */
  readonly agent: Agent | null;
  /** Told when the network blocks this number from starting chats, and with null when it does no longer. */
  onRestriction(restriction: Restriction | null): void;
  /** Given every message before it is on the wire, for recipients that ask for it again. */
  rememberSent(id: string, message: proto.IMessage): void;
  /** Other bounds than the usual ones, in milliseconds. */
  readonly limits?: Partial<SendingLimits>;
}

interface SendingLimits {
  /** Until a message is on the wire: finding its recipient, uploading its file, its turn. */
  readonly handOverMs: number;
  /** Until the network must have acknowledged it. */
  readonly acknowledgementMs: number;
  /** One query about numbers. */
  readonly queryMs: number;
  /** All queries of one check. */
  readonly checkMs: number;
}

// The session gives up after 30 s, so that a late message would be one that nobody waits for.
const usualLimits: SendingLimits = { handOverMs: 20_000, acknowledgementMs: 20_000, queryMs: 8_000, checkMs: 20_000 };

const kinds = new Map(allKinds.map((kind) => [kind.type, kind]));
const uploadTypes: Readonly<Record<MediaUse, UploadType>> = {
  image: 'image',
  video: 'video',
  document: 'document',
  voice: 'audio',
  sticker: 'sticker',
};
const notSent: SendOutcome = { outcome: 'not_sent' };

/** Makes what sends over one connection; close it when the connection ends. */
export function createSending(options: SendingOptions): Sending {
  const { sock, selfNumber, memory, log, agent, onRestriction, rememberSent } = options;
  const limits = { ...usualLimits, ...options.limits };
  const recipients = new Recipients({ sock, memory, log, queryMs: limits.queryMs });
  const acknowledgements = new Acknowledgements(sock.ws, systemClock, limits.acknowledgementMs);
  const outbox = new Outbox({ sock, memory, recipients, acknowledgements, log, rememberSent });
  const tokens = new PrivacyTokens(sock, log);
  const block = new ReachOutBlock(sock, onRestriction);
  const random = createRandomSource();
  const ownJid = jidNormalizedUser(sock.user?.id ?? `${selfNumber}@s.whatsapp.net`);
  const deadlines = new Deadlines(systemClock, limits.handOverMs);
  const endings = new Set<() => void>();
  /** By recipient (digits): the end of the last message's wait for its turn. */
  const turns = new Map<string, Promise<unknown>>();

  return {
    async send(message) {
      const previous = turns.get(message.to);
      const passed = Promise.withResolvers<void>();
      const turn = Promise.all([previous, passed.promise]);
      turns.set(message.to, turn);
      void turn.then(() => {
        if (turns.get(message.to) === turn) turns.delete(message.to);
      });
      try {
        return await sendOne(message, previous, passed.resolve);
      } catch (error) {
        log.warn({ err: error }, 'a message could not be prepared');
        return notSent;
      } finally {
        passed.resolve();
      }
    },

    check: (numbers) => checkNumbers({ sock, memory, queryMs: Math.min(limits.queryMs, 5_000), totalMs: limits.checkMs }, numbers),

    close() {
      outbox.close();
      for (const end of endings) end();
      acknowledgements.close();
    },
  };

  /** `passOn` lets the next message to the same recipient have its turn. Rejects when nothing was handed over. */
  async function sendOne(message: OutgoingMessage, previous: Promise<unknown> | undefined, passOn: () => void): Promise<SendOutcome> {
    let late = false;
    let abandon = null as (() => void) | null;
    const handedOver = (async () => {
      const [prepared] = await Promise.all([prepare(message), previous]);
      if (typeof prepared === 'string') return prepared;
      if (late) return null;
      const entry = outbox.put(prepared);
      abandon = entry.abandon;
      passOn();
      return { recipient: prepared.recipient, written: await entry.written };
    })();
    let result = await inTime(handedOver);
    if (result === 'late') {
      late = true;
      if (abandon === null) return notSent;
      abandon();
      // Settled by now, one way or the other: it may have been written in this very turn.
      result = await handedOver;
    }
    if (result === null) return notSent;
    return typeof result === 'string' ? unreachable(result) : settle(result.written, result.recipient);
  }

  async function prepare(message: OutgoingMessage) {
    // Both take their time on the network, and neither needs the other; but a recipient who cannot be reached is told at once.
    const upload = uploaded(message);
    upload.catch(() => undefined);
    const [recipient, own] = await Promise.all([recipients.find(message.to), recipients.user(ownJid)]);
    if (typeof recipient === 'string') return recipient;
    const media = await upload;
    return {
      id: message.messageId,
      recipient,
      own: own === 'no_device' ? [] : own.devices,
      message: encode(message, recipient, media),
      privacyToken: await tokens.of(recipient),
    };
  }

  function encode({ type, content, quoted }: OutgoingMessage, { jid }: Recipient, media: WhatsAppMedia | null): WhatsAppMessage {
    const kind = kinds.get(type);
    if (kind === undefined) throw new Error(`no kind ${type}`);
    const contextInfo: WhatsAppContext['contextInfo'] = quoted && {
      stanzaId: quoted.messageId,
      participant: quoted.fromMe ? ownJid : jid,
      // The recipient's app shows its own copy; what the quoted message said is not known here.
      quotedMessage: { conversation: '' },
    };
    return kind.whatsapp(content, { chat: jid, now: Date.now(), secret: random(32), contextInfo, media });
  }

  async function uploaded({ type, media }: OutgoingMessage): Promise<WhatsAppMedia | null> {
    const use = kinds.get(type)?.media?.as;
    if (media === null || use === undefined) return null;
    const place = await memory.uploads.get({ sock, agent: agent ?? undefined }, media, uploadTypes[use]);
    return { uploaded: place, mimetype: media.mimeType, ...factsOf(media) };
  }

  async function settle(written: Written, recipient: Recipient): Promise<SendOutcome> {
    if (written === 'not_written') return notSent;
    const acknowledgement = await written.acknowledgement;
    if (acknowledgement === 'none') return { outcome: 'unknown' };
    const { code } = acknowledgement;
    if (code === null) {
      tokens.giveOwn(recipient);
      block.accepted(recipient.jid);
      return { outcome: 'accepted', providerStatus: 'SERVER_ACK' };
    }
    if (code === '463') return block.refused(recipient.jid);
    // Most refusals come from devices or sessions that have changed since they were looked up.
    await recipients.forget(recipient.jid);
    return { outcome: 'rejected', code };
  }

  /** The promise's value, or `late` when the time for handing over is up or the connection has ended. */
  function inTime<T>(promise: Promise<T>): Promise<T | 'late'> {
    const ended = Promise.withResolvers<'late'>();
    const end = () => ended.resolve('late');
    endings.add(end);
    return deadlines.race<T | 'late'>(Promise.race([promise, ended.promise]), 'late').finally(() => endings.delete(end));
  }
}

function unreachable(why: Unreachable): SendOutcome {
  switch (why) {
    case 'not_on_network':
      return { outcome: 'refused', reason: 'The number is not on WhatsApp.' };
    case 'no_device':
      return { outcome: 'refused', reason: 'The number has no device on WhatsApp that could receive a message.' };
  }
}

function factsOf({ facts }: MediaFile) {
  if (facts === undefined) return {};
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as typeof facts;
}
