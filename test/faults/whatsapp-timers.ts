import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatTimer, ReceivedMessage, WhatsAppServer } from 'whatsapp-test-server';
import type { Sender } from './customers.ts';
import type { Seeded } from './seeded.ts';
import type { WhatsAppSend } from './whatsapp-load.ts';

/** A chat of a number with somebody. */
export interface Chat {
  readonly sender: Sender;
  readonly to: string;
}

interface Setting extends ChatTimer {
  /** The number that set it. */
  readonly by: string;
  /**
   * When the number's linked device had acknowledged all that it was told; infinite until then, and when it could not read the message at first: it
   * acknowledges that, too.
   */
  knownAt: number;
}

/** What apps offer, in seconds: switched off, a day, a week, ninety days. */
const offered = [0, 86_400, 604_800, 7_776_000];
/** How long a linked device may need, for example to come back after all that can happen to it. */
const longestMs = 300_000;

/** Timers of disappearing messages that people change while messages go out, and what the messages must carry. */
export class ChangingTimers {
  /** The settings of each chat, in the order in which they were made. */
  readonly #settings = new Map<string, Setting[]>();
  readonly #chats: Chat[] = [];
  readonly #server: WhatsAppServer;
  readonly #random: Seeded;
  /** Ids of the messages by which the phones of numbers have set timers. */
  readonly ofPhones = new Set<string>();
  /** How often somebody set, changed or removed a timer. */
  changes = 0;
  /** How many messages carried one. */
  carried = 0;
  /** For how many messages there was only one right answer, in a chat that has or had a timer. */
  certain = 0;

  constructor(server: WhatsAppServer, random: Seeded) {
    this.#server = server;
    this.#random = random;
  }

  /** A chat whose timer somebody has set; null while there is none. */
  chat(): Chat | null {
    return this.#chats.length === 0 ? null : this.#random.pick(this.#chats);
  }

  /** Somebody in this chat sets another timer, or none. */
  async change(chat: Chat): Promise<void> {
    const { sender, to } = chat;
    const settings = this.#of(chat);
    if (settings.length === 0) this.#chats.push(chat);
    const last = settings.at(-1);
    const others = offered.filter((seconds) => seconds !== (last?.expiration ?? 0));
    // The later setting counts, and apps note whole seconds.
    const setAt = Math.max(Math.floor(Date.now() / 1000), (last?.setAt ?? 0) + 1);
    const [by, other] = this.#random.chance(0.5) ? [sender.phoneNumber, to] : [to, sender.phoneNumber];
    const setting = { expiration: this.#random.pick(others), setAt, by, knownAt: Number.POSITIVE_INFINITY };
    settings.push(setting);
    this.changes += 1;
    const { record } = this.#server;
    const before = record.receipts.length;
    const id = await this.#server.person(by).setTimer(other, setting.expiration, setAt);
    if (by === sender.phoneNumber) this.ofPhones.add(id);
    const phone = this.#server.person(sender.phoneNumber);
    const known = record.until(() => phone.unacknowledged === 0, longestMs);
    known.then(
      () => {
        const isAskedFor = record.receipts.slice(before).some((receipt) => receipt.id === id && receipt.type === 'retry');
        if (!isAskedFor) setting.knownAt = Date.now();
      },
      // Then any earlier one is right, too.
      () => undefined,
    );
  }

  /** The recipient writes back, with the chat's timer as apps do. */
  async writeBack(chat: Chat): Promise<void> {
    const timer = this.#of(chat).at(-1);
    const contextInfo = timer && { expiration: timer.expiration, ephemeralSettingTimestamp: timer.setAt };
    const extendedTextMessage = { text: 'and you?', ...(contextInfo && { contextInfo }) };
    await this.#server.person(chat.to).sendMessage(chat.sender.phoneNumber, { extendedTextMessage });
  }

  /** Somebody changes a timer every now and then, of a chat that there is or a new one. */
  async play({ going, chats, pauseMs }: { going: () => boolean; chats: () => readonly Chat[]; pauseMs: number }): Promise<void> {
    while (going()) {
      await sleep(this.#random.next() * 2 * pauseMs);
      const known = this.#random.chance(0.5) ? this.chat() : null;
      const all = chats();
      const chat = known ?? (all.length === 0 ? null : this.#random.pick(all));
      if (chat !== null) await this.change(chat);
    }
  }

  /** What is wrong with the timer of a message that has arrived; null when nothing is. */
  judge(send: WhatsAppSend, { timer }: ReceivedMessage): string | null {
    const settings = this.#of(send);
    const first = settings.findLastIndex(({ knownAt }) => knownAt <= send.begunAt);
    const none = { expiration: 0, setAt: 0 };
    const right = send.type === 'reaction' ? [none] : first === -1 ? [none, ...settings] : settings.slice(first);
    if (timer !== null) this.carried += 1;
    if (settings.length > 0 && right.length === 1) this.certain += 1;
    const carries = (wanted: ChatTimer) =>
      wanted.expiration === 0 ? timer === null : timer?.expiration === wanted.expiration && timer.setAt === wanted.setAt;
    if (right.some(carries)) return null;
    return `${send.key} carried the timer ${JSON.stringify(timer)} and not one of ${JSON.stringify(right)}`;
  }

  #of({ sender, to }: Chat): Setting[] {
    const name = `${sender.phoneNumber} ${to}`;
    const settings = this.#settings.get(name) ?? [];
    this.#settings.set(name, settings);
    return settings;
  }
}
