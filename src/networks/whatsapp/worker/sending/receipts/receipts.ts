import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, isJidBroadcast, isJidGroup } from 'baileys';
import type { MessageEvent, MessageNews } from '../../../../index.ts';
import { takeOver } from '../../library/web-socket.ts';
import type { Wire } from '../link-memory.ts';
import type { MessageEvents } from './message-events.ts';
import type { Resending } from './resending.ts';
import { readRetryReceipt } from './retry-receipt.ts';
import type { KeptMessages } from './sent-messages.ts';

interface ReceiptsOptions {
  readonly kept: KeptMessages;
  readonly events: MessageEvents;
  readonly resending: Resending;
}

const stanza = 'CB:receipt';
/** The types of a delivery receipt: none, or `inactive` for a device that nobody is looking at. */
const delivered: readonly (string | undefined)[] = [undefined, 'inactive'];
const confirming: readonly (string | undefined)[] = [...delivered, 'read', 'played'];

/**
 * Handles the receipts of a connection instead of the library, which would answer a phone by sending to all devices, would leave out the retry count,
 * and would give a message to anyone who knows its id. A receipt is acknowledged only after it has been handled and its events are stored, so that the
 * network repeats it if the connection is lost in between.
 */
export class Receipts {
  readonly #wire: Wire;
  readonly #options: ReceiptsOptions;

  constructor(wire: Wire, options: ReceiptsOptions) {
    this.#wire = wire;
    this.#options = options;
    takeOver(wire.sock.ws, stanza);
    wire.sock.ws.on(stanza, this.#received);
  }

  close(): void {
    this.#wire.sock.ws.off(stanza, this.#received);
  }

  readonly #received = (node: BinaryNode): void => {
    this.#handle(node).then(
      (isHandled) => {
        if (isHandled) this.#acknowledge(node);
      },
      (error: unknown) => {
        this.#wire.log.warn({ err: error }, 'a receipt could not be handled');
        this.#acknowledge(node);
      },
    );
  };

  /** False when the network must repeat it: the connection has ended before its events were stored, or a message could not be prepared. */
  async #handle(node: BinaryNode): Promise<boolean> {
    const { kept, events, resending } = this.#options;
    const { id, from, participant, type } = node.attrs;
    const by = participant ?? from;
    if (isJidGroup(from) === true || isJidBroadcast(from ?? '') === true || id === undefined || by === undefined) return true;
    if (type === 'retry') {
      const request = readRetryReceipt(node);
      return request === null || (await resending.answer(request));
    }
    if (!confirming.includes(type)) return true;
    const isDelivery = delivered.includes(type);
    // A receipt may cover several messages.
    const items = getBinaryNodeChildren(getBinaryNodeChild(node, 'list'), 'item');
    const ids = [id, ...items.flatMap(({ attrs }) => attrs.id ?? [])];
    const event: MessageEvent = isDelivery ? 'delivered' : 'read';
    if (events.wants(event) && !resending.isOwn(by)) {
      const at = timeOf(node);
      // Nothing that was sent here has an id with U+0000, which PostgreSQL would never take.
      const news = ids
        .filter((one) => !one.includes('\0'))
        .map((messageId): MessageNews => ({ event, messageId, at, sentHere: kept.isRemembered(messageId) }));
      // A message is deleted only after its delivery is stored, because it shows that it was sent here.
      if (news.length > 0 && !(await events.store(news))) return false;
    }
    for (const message of ids) kept.confirmed(message, by, isDelivery);
    return true;
  }

  #acknowledge({ attrs: { id = '', from = '', type, participant, recipient } }: BinaryNode): void {
    const attrs = {
      ...{ id, to: from, class: 'receipt' },
      ...(type === undefined ? {} : { type }),
      ...(participant === undefined ? {} : { participant }),
      ...(recipient === undefined ? {} : { recipient }),
    };
    // A closing connection cannot acknowledge anything; the network will repeat the receipt.
    this.#wire.sock.sendNode({ tag: 'ack', attrs }).catch(() => undefined);
  }
}

/** When it happened, by the network (epoch milliseconds); null when unknown. */
function timeOf({ attrs: { t } }: BinaryNode): number | null {
  const seconds = Number(t);
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds * 1000, Date.now()) : null;
}
