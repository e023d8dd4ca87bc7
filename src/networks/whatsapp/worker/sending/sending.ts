import type { Agent } from 'node:https';
import { systemClock } from '../../../../core/index.ts';
import type { NewChats, OutgoingMessage, Reachability, Restriction, SendOutcome } from '../../../index.ts';
import { reactionToRefusal, reasonOf } from '../../refusals.ts';
import type { WhatsAppMessage } from '../encoding/encoded-message.ts';
import { accountFacts, learnFacts } from './account-facts.ts';
import { Acknowledgements } from './acks.ts';
import { SaltSync } from './app-state/nct-salt.ts';
import { ChatTimers } from './chat-timers.ts';
import { Composer } from './compose.ts';
import { type HandedOver, HandOver } from './hand-over.ts';
import { History } from './history-sync/history-sync.ts';
import { allOf, MessageGate, noteTime } from './incoming.ts';
import type { LinkMemory } from './link-memory.ts';
import type { ChatRecords } from './new-chats/known-chats.ts';
import { NewChatLimits } from './new-chats/limits.ts';
import { checkNumbers } from './numbers-check.ts';
import { Outbox, type Ready } from './outbox.ts';
import { nameOf, type Space } from './people.ts';
import type { KeptMessages } from './receipts/kept-messages.ts';
import { MessageTeller, type NewsSink } from './receipts/message-events.ts';
import { Resending } from './receipts/resending.ts';
import { type Recipient, Recipients, type Unreachable } from './recipients.ts';
import { RefusedTries } from './refused-tries.ts';
import type { SendingLog, SendingSocket } from './socket.ts';
import { ContactTokens } from './tctoken.ts';

/** Sends messages and checks numbers over one connection. */
export interface Sending {
  /** The connection is logged in. Nothing may be sent before this call. */
  opened(): void;
  /**
   * Sends a message and waits, for a limited time, for its acknowledgement. Messages to one recipient go out in the order of the calls. Never
   * rejects.
   */
  send(message: OutgoingMessage): Promise<SendOutcome>;
  /** Whether there is a chat with this number (digits). The network is not asked. Never rejects. */
  knows(number: string): Promise<boolean>;
  /** One answer per number (digits), in order. Never rejects. */
  check(numbers: readonly string[]): Promise<Reachability[]>;
  /** Ends all waits at once: messages already written end as `unknown`, the others as `not_sent`. */
  close(): void;
}

export interface SendingOptions {
  /** Its `userDevicesCache` must have long lifetimes, and its `makeSignalRepository` must come from the memory. */
  readonly sock: SendingSocket;
  readonly memory: LinkMemory;
  readonly log: SendingLog;
  /** The agent for connections to the media servers; null for Node's own. */
  readonly agent: Agent | null;
  /** The link's records. */
  readonly records: ChatRecords;
  /** Called when the network does not let this number start chats; null when that is over. */
  onRestriction(restriction: Restriction | null): void;
  /** Called with how many chats this number may start; null when there is no limit. */
  onNewChats(newChats: NewChats | null): void;
  /** Keeps every message, before it is sent, for devices that ask for it again. */
  readonly kept: KeptMessages;
  /** Where what becomes of messages is stored. */
  readonly news: NewsSink;
  /** Overrides of the usual time limits, in milliseconds. */
  readonly limits?: Partial<SendingLimits>;
}

interface SendingLimits {
  /** Until a message is written, including finding its recipient, uploading its file and waiting for its turn. */
  readonly handOverMs: number;
  /** From writing a message to its acknowledgement. */
  readonly acknowledgementMs: number;
  /** One query about numbers. */
  readonly queryMs: number;
  /** All queries of one check. */
  readonly checkMs: number;
  /** Before a message that a device asked for is sent to it a second time. The pause doubles with each time. */
  readonly repetitionPauseMs: number;
  /** The pause after the first refusal because of a temporary fault; the second is twice as long. */
  readonly refusalPauseMs: number;
  /** A message is not tried again once this much time has passed since it was given. */
  readonly triesMs: number;
}

// The session gives up after 30 s, so sending any later would be of no use to anyone.
const usualLimits: SendingLimits = {
  handOverMs: 20_000,
  acknowledgementMs: 20_000,
  queryMs: 8_000,
  checkMs: 20_000,
  repetitionPauseMs: 500,
  refusalPauseMs: 750,
  triesMs: 15_000,
};

const notSent: SendOutcome = { outcome: 'not_sent' };

/** Creates the sending of one connection. Call it when the connection is created and close it when the connection ends. */
export function createSending(options: SendingOptions): Sending {
  const { sock, memory, log, agent, records, onRestriction, onNewChats, kept } = options;
  const limits = { ...usualLimits, ...options.limits };
  const recipients = new Recipients({ sock, memory, log, queryMs: limits.queryMs });
  const acknowledgements = new Acknowledgements(sock.ws, systemClock, limits.acknowledgementMs);
  const outbox = new Outbox({ sock, memory, recipients, acknowledgements, log, kept });
  const handOver = new HandOver(outbox, limits.handOverMs);
  const timers = new ChatTimers(sock.authState.keys, memory.signalSessionTurns);
  const composer = new Composer({ sock, memory, recipients, agent, timers });
  const tokens = new ContactTokens({ sock, log, recipients });
  const newChats = new NewChatLimits({ sock, records, log, onRestriction, onNewChats });
  const gate = new MessageGate({
    ws: sock.ws,
    before: allOf([(node) => noteTime(node, memory.sentAt), (node) => tokens.heard(node), (node) => newChats.heard(node)]),
    failed(error) {
      log.warn({ err: error }, 'what came with a message could not be stored; the message comes again over the next connection');
      void sock.end(undefined);
    },
  });
  const teller = new MessageTeller(options.news, log);
  const resending = new Resending({
    ...{ sock, memory, log, kept, recipients, tokens, handOver, teller },
    prepare: ready,
    pauseMs: limits.repetitionPauseMs,
  });
  const history = new History({ sock, tokens, timers, log, agent, turns: memory.signalSessionTurns });
  const saltSync = new SaltSync({ sock, log, agent });
  /** By recipient (digits): resolves when the last message has had its turn. */
  const turns = new Map<string, Promise<unknown>>();

  return {
    opened() {
      tokens.opened();
      history.opened();
      saltSync.opened();
      resending.opened();
      newChats.opened();
    },

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

    async knows(number) {
      const person = memory.people.get(number);
      return newChats.knows(number, person && nameOf(person));
    },

    check: (numbers) => checkNumbers({ sock, memory, queryMs: Math.min(limits.queryMs, 5_000), totalMs: limits.checkMs }, numbers),

    close() {
      gate.close();
      resending.close();
      teller.close();
      outbox.close();
      handOver.close();
      acknowledgements.close();
      newChats.close();
      recipients.close();
      history.close();
      saltSync.close();
      tokens.close();
    },
  };

  /** `passOn` gives the next message to the same recipient its turn. Rejects when nothing was handed over. */
  async function sendOne(message: OutgoingMessage, previous: Promise<unknown> | undefined, passOn: () => void): Promise<SendOutcome> {
    const person = memory.people.get(message.to);
    const held = await newChats.held(message.to, person && nameOf(person));
    if (held !== null) return held;
    const tries = new RefusedTries(limits);
    const preparing = prepare(message);
    let result = await handOver.take(preparing, previous, passOn);
    for (;;) {
      if (result === null) return notSent;
      if (typeof result === 'string') return unreachable(result);
      const outcome = await settle(message, result, tries);
      if (outcome !== null) return outcome;
      const prepared = await preparing;
      if (typeof prepared === 'string') return unreachable(prepared);
      // With the same id: in the other namespace, or encrypted anew for the recipient's current devices.
      const again =
        tries.space === null
          ? ready(message.messageId, recipients.find(message.to), () => prepared.message)
          : prepare(message, tries.space);
      result = await handOver.take(again);
    }
  }

  function prepare(message: OutgoingMessage, space?: Space): Promise<Ready | Unreachable> {
    // Upload and lookup run at the same time. A recipient who cannot be reached is reported without waiting for the upload.
    const upload = composer.uploaded(message);
    upload.catch(() => undefined);
    return ready(message.messageId, recipients.find(message.to, space), async (recipient) =>
      composer.message(message, recipient, await upload),
    );
  }

  async function ready(
    id: string,
    finding: Promise<Recipient | Unreachable>,
    messageFor: (recipient: Recipient) => WhatsAppMessage | Promise<WhatsAppMessage>,
  ): Promise<Ready | Unreachable> {
    // Both lookups run at the same time. If the recipient turns out to be in the other namespace, the own devices are looked up there.
    const [recipient] = await Promise.all([finding, recipients.own(recipients.space)]);
    if (typeof recipient === 'string') return recipient;
    const own = await recipients.own(recipient.space);
    const message = await messageFor(recipient);
    return {
      id,
      recipient,
      own: own === 'no_device' ? [] : own.devices,
      message,
      token: await tokens.of(recipient),
      audience: 'all',
    };
  }

  /** The outcome of a message that was handed over; null when it should be tried again. */
  async function settle(
    { messageId: id, to }: OutgoingMessage,
    { recipient, own, written }: Exclude<HandedOver, string | null>,
    tries: RefusedTries,
  ): Promise<SendOutcome | null> {
    if (written === 'not_written') {
      dropUnsent(id);
      return notSent;
    }
    const acknowledgement = await written.acknowledgement;
    if (acknowledgement === 'none') {
      memory.unsure.set(id, id);
      return { outcome: 'unknown' };
    }
    const { code, drifted, staleLid } = acknowledgement;
    if (drifted) resending.missed(id, recipient.jid, [...recipient.devices, ...own]);
    if (staleLid) recipients.renewLid(to, recipient.person);
    if (code === null) {
      tokens.giveOwn(recipient);
      if (tries.space !== null) learnSpace(tries.space);
      newChats.accepted(to, recipient);
      return { outcome: 'accepted', providerStatus: 'SERVER_ACK' };
    }
    dropUnsent(id);
    return refused(to, recipient, code, tries);
  }

  /** A message was accepted in this namespace after it was refused in the other, so the next ones start in this one. */
  function learnSpace(space: Space): void {
    const migrated = space === 'lid';
    if (accountFacts(sock.authState.creds).migrated !== migrated) learnFacts(sock, { migrated });
  }

  /** A message that nobody has received is not kept, unless an earlier try with its id may have arrived. */
  function dropUnsent(id: string): void {
    if (!memory.unsure.has(id)) kept.drop(id);
  }

  /** The outcome of a message that was refused with this code; null when it should be tried again. */
  async function refused(number: string, recipient: Recipient, code: string, tries: RefusedTries): Promise<SendOutcome | null> {
    const reaction = reactionToRefusal(code);
    // Somebody who had no LID when the network was asked may have one by now.
    if (recipient.person.lid === null) memory.people.delete(number);
    switch (reaction.do) {
      case 'retry':
        return (await tries.afterPause()) ? null : rejected(code);
      case 'renew_devices':
        await recipients.forget(recipient.person);
        return tries.withNewDevices() ? null : rejected(code);
      case 'tell_apart': {
        const numberInsteadOfLid = recipient.space === 'pn' && recipient.person.lid !== null;
        const outcome = await newChats.refused(number, recipient, { numberInsteadOfLid });
        return outcome.outcome === 'rejected' && tries.in('lid') ? null : outcome;
      }
      case 'hold_new_chats':
        return newChats.capped(number, recipient);
      case 'refuse':
        return { outcome: 'refused', reason: reaction.message, details: { reason: reaction.reason } };
      case 'readdress':
        await recipients.forget(recipient.person);
        if (recipient.person.lid === null)
          return { outcome: 'refused', reason: 'WhatsApp takes no message to this number, which has no LID.' };
        return recipient.space === 'lid' && recipient.person.pn !== null && tries.in('pn') ? null : rejected(code);
      case 'fail':
        // Many refusals are due to devices or SignalSessions that have changed since they were looked up.
        await recipients.forget(recipient.person);
        return rejected(code);
    }
  }
}

function rejected(code: string): SendOutcome {
  return { outcome: 'rejected', code, reason: reasonOf(code) };
}

function unreachable(why: Unreachable): SendOutcome {
  switch (why) {
    case 'not_on_network':
      return { outcome: 'refused', reason: 'The number is not on WhatsApp.' };
    case 'no_device':
      return { outcome: 'refused', reason: 'The number has no device on WhatsApp that could receive a message.' };
  }
}
