import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, isJidBroadcast, isJidGroup } from 'baileys';
import type { MessageEvent, MessageNews } from '../../../../index.ts';
import { takeOver } from '../../library/stanza-listeners.ts';
import type { SendingLog, SendingSocket } from '../socket.ts';
import type { KeptMessages } from './kept-messages.ts';
import type { MessageTeller } from './message-events.ts';
import { type Asked, readRetryReceipt } from './retry-receipt.ts';

interface ReceiptsOptions {
  readonly sock: SendingSocket;
  readonly kept: KeptMessages;
  readonly log: SendingLog;
  readonly teller: MessageTeller;
  /** Whether this device belongs to the number's own account. */
  isOwn(device: string): boolean;
  /** Sends the message again to the device that asks for it. Resolves when it is written or cannot be. */
  answer(asked: Asked): Promise<void>;
}

const event = 'CB:receipt';
/** The types of a delivery receipt: none, or `inactive` for a device that nobody is looking at. */
const delivered: readonly (string | undefined)[] = [undefined, 'inactive'];
const confirming: readonly (string | undefined)[] = [...delivered, 'read', 'played'];

/**
 * Handles the receipts of a connection instead of the library, which would answer a phone by sending to all devices, would leave out the retry count,
 * and would give a message to anyone who knows its id. A receipt is acknowledged only after it has been handled, and what somebody is to be told of it
 * is stored, so that the network repeats it if the connection is lost in between.
 */
export class Receipts {
  readonly #options: ReceiptsOptions;

  constructor(options: ReceiptsOptions) {
    this.#options = options;
    takeOver(options.sock.ws, event);
    options.sock.ws.on(event, this.#received);
  }

  close(): void {
    this.#options.sock.ws.off(event, this.#received);
  }

  readonly #received = (node: BinaryNode): void => {
    const { kept, teller, isOwn } = this.#options;
    const { id, from, participant, type } = node.attrs;
    const ofMany = isJidGroup(from) === true || isJidBroadcast(from ?? '') === true;
    if (!ofMany && type === 'retry') {
      void this.#answer(node);
      return;
    }
    const by = participant ?? from;
    if (ofMany || id === undefined || by === undefined || !confirming.includes(type)) {
      this.#acknowledge(node);
      return;
    }
    const isDelivery = delivered.includes(type);
    const messages = [id, ...listedIds(node)];
    const handle = () => {
      for (const message of messages) kept.confirmed(message, by, isDelivery);
      this.#acknowledge(node);
    };
    const event: MessageEvent = isDelivery ? 'delivered' : 'read';
    if (!teller.wants(event) || isOwn(by)) {
      handle();
      return;
    }
    const at = timeOf(node);
    const news = messages.map((messageId): MessageNews => ({ event, messageId, at, sentHere: kept.isRemembered(messageId) }));
    // A message is deleted only after its delivery is stored, because it shows that it was sent here.
    void teller.tell(news).then((stored) => {
      if (stored) handle();
    });
  };

  async #answer(node: BinaryNode): Promise<void> {
    const asked = readRetryReceipt(node);
    try {
      if (asked !== null) await this.#options.answer(asked);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'a message that was asked for again could not be prepared');
    }
    this.#acknowledge(node);
  }

  #acknowledge({ attrs: { id = '', from = '', type, participant, recipient } }: BinaryNode): void {
    const attrs = {
      ...{ id, to: from, class: 'receipt' },
      ...(type === undefined ? {} : { type }),
      ...(participant === undefined ? {} : { participant }),
      ...(recipient === undefined ? {} : { recipient }),
    };
    // A closing connection cannot acknowledge anything; the network will repeat the receipt.
    this.#options.sock.sendNode({ tag: 'ack', attrs }).catch(() => undefined);
  }
}

/** The further message ids of a receipt, which may cover several messages. */
function listedIds(node: BinaryNode): string[] {
  const items = getBinaryNodeChildren(getBinaryNodeChild(node, 'list'), 'item');
  return items.flatMap(({ attrs }) => attrs.id ?? []);
}

/** When the network says that it happened (epoch milliseconds); null when it does not. */
function timeOf({ attrs: { t } }: BinaryNode): number | null {
  const seconds = Number(t);
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds * 1000, Date.now()) : null;
}
