import type { BinaryNode, WASocket } from 'baileys';
import type { Closing } from '../../closing.ts';

const nothingSaid: Closing = { code: null, conflict: null, expireSeconds: null };

/**
 * Records what the network says when it ends a connection. This is read from the stanzas themselves, because Baileys' errors use the same codes for
 * other failures (a proxy that answers 403, an expired certificate), which must never unlink a number.
 */
export function noteClosing(ws: WASocket['ws']): () => Closing {
  let closing = nothingSaid;
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

/** Whether the network says that the device is no longer linked. */
export function saysRemoved({ code, conflict }: Closing): boolean {
  return conflict === 'device_removed' || (conflict === null && code === 401);
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}
