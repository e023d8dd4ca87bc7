import { type BinaryNode, getBinaryNodeChild, proto, type WASocket } from 'baileys';
import { type Closing, noReason } from '../../closing.ts';

/**
 * Records the reason with which the network ends a connection. This is read from the stanzas themselves, because Baileys' errors use the same codes for
 * other failures (a proxy that answers 403, an expired certificate), which must never unlink a number.
 */
export function noteClosing(ws: WASocket['ws']): () => Closing {
  let closing = noReason;
  ws.on('CB:stream:error', (node: BinaryNode) => {
    const children = Array.isArray(node.content) ? node.content : [];
    const conflict = children.find(({ tag }) => tag === 'conflict');
    closing = {
      code: numberOf(node.attrs.code) ?? (conflict === undefined ? null : 440),
      conflict: conflict?.attrs.type ?? null,
      expireSeconds: null,
    };
  });
  ws.on('CB:failure', (node: BinaryNode) => {
    closing = { code: numberOf(node.attrs.reason), conflict: null, expireSeconds: numberOf(node.attrs.expire) };
  });
  ws.on('CB:ib,,downgrade_webclient', () => {
    closing = { code: 411, conflict: null, expireSeconds: null };
  });
  return () => closing;
}

/** Whether to try the first login after a scan again. */
export function mayComeBack({ code, conflict }: Closing): boolean {
  return conflict === null && (code === null || code === 515 || code === 503);
}

/** Whether the network has ended the connection because the device is no longer linked. */
export function isRemoval({ code, conflict }: Closing): boolean {
  return conflict === 'device_removed' || (conflict === null && code === 401);
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** Whether the account's chats are addressed by LID, from the `ClientPairingProps` in a `pair-success` stanza; null when unknown. */
export function isLidMigrated(stanza: BinaryNode): boolean | null {
  const content = getBinaryNodeChild(getBinaryNodeChild(stanza, 'pair-success'), 'client-props')?.content;
  if (!(content instanceof Uint8Array)) return null;
  try {
    // A field missing from the message would be decoded as its default.
    return proto.ClientPairingProps.decode(content).isChatDbLidMigrated === true;
  } catch {
    return null;
  }
}

/**
 * When the network will stop accepting this connection's version (epoch milliseconds), from its `<ib><client_expiration t/>`. null: it will not,
 * as in a notice without `t`. undefined: the notice cannot be used. See oxidezap/whatsapp-rust src/handlers/ib.rs.
 */
export function expirationIn(stanza: BinaryNode): number | null | undefined {
  const notice = getBinaryNodeChild(stanza, 'client_expiration');
  if (notice === undefined) return undefined;
  const { t } = notice.attrs;
  if (t === undefined) return null;
  return /^[1-9]\d{8,10}$/.test(t) ? Number(t) * 1000 : undefined;
}
