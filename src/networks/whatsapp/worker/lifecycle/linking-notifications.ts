import { type BinaryNode, buildAckStanza, getBinaryNodeChild, NACK_REASONS, S_WHATSAPP_NET, type WASocket } from 'baileys';
import { asksForCode } from './typed-code.ts';

type Listener = (node: BinaryNode) => unknown;

/** Receives the network's notifications to a device that is not logged in yet. */
interface LinkingListener {
  /** The scanning phone wants a code with a new secret. */
  refresh(): void;
  /** The network asks for a passkey before it links. */
  passkeyRequested(node: BinaryNode): void;
  /** The phone has received the passkey and continues. */
  passkeyContinued(node: BinaryNode): void;
  /** The code was typed on the phone. From now on both sides agree on a secret of their own. */
  codeTyped(): void;
  /** The network asks for another code to type. */
  codeOutdated(node: BinaryNode): void;
}

/**
 * Handles the notifications of a connection that is to be linked and acknowledges each. Baileys (7.0.0-rc14, `sendMessageAck` in messages-recv.js)
 * reads the account's own address for every acknowledgement. There is none before the login, so it would throw and acknowledge nothing, and the
 * network would let the link fail. Only the exchange of a typed code is left to Baileys, which answers and acknowledges it.
 */
export function answerLinkingNotifications(sock: Pick<WASocket, 'ws' | 'sendNode'>, listener: LinkingListener): void {
  const event = 'CB:notification';
  const library = sock.ws.listeners(event) as Listener[];
  sock.ws.removeAllListeners(event);
  const acknowledge = (node: BinaryNode, error?: number) => {
    // A closing connection cannot acknowledge anything.
    sock.sendNode(buildAckStanza(node, error)).catch(() => undefined);
  };
  sock.ws.on(event, (node: BinaryNode) => {
    const { type, from } = node.attrs;
    if (from !== S_WHATSAPP_NET) return acknowledge(node);
    switch (type) {
      case 'link_code_companion_reg':
        if (asksForCode(node)) {
          acknowledge(node);
          listener.codeOutdated(node);
          return;
        }
        if (!hasPhoneKey(node)) return acknowledge(node);
        listener.codeTyped();
        for (const listen of library) listen(node);
        return;
      case 'companion_reg_refresh':
        if (!asksForRefresh(node)) return acknowledge(node, NACK_REASONS.ParsingError);
        acknowledge(node);
        listener.refresh();
        return;
      case 'passkey_prologue_request':
        acknowledge(node);
        listener.passkeyRequested(node);
        return;
      case 'crsc_continuation':
        acknowledge(node);
        listener.passkeyContinued(node);
        return;
      default:
        acknowledge(node);
    }
  });
}

/** The network also sends this notification without the phone's key; it then means nothing (whatsmeow, pull request 1188). */
function hasPhoneKey(node: BinaryNode): boolean {
  const exchange = getBinaryNodeChild(node, 'link_code_companion_reg');
  return getBinaryNodeChild(exchange, 'link_code_pairing_wrapped_primary_ephemeral_pub')?.content instanceof Uint8Array;
}

function asksForRefresh(node: BinaryNode): boolean {
  return ['companion_reg_refresh', 'pair-device-rotate-qr'].some((tag) => getBinaryNodeChild(node, tag) !== undefined);
}
