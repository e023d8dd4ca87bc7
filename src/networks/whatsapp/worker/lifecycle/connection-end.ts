import type { BinaryNode, WASocket } from 'baileys';
import type { Closing } from '../../closing.ts';

const nothingSaid: Closing = { code: null, conflict: null, expireSeconds: null };

/**
 * Notes what the network says when it ends a connection. Taken from the stanzas themselves: the errors Baileys makes of them use the same codes for
 * trouble on the way (a proxy that answers 403, a certificate that has expired), which must never cost a number its link.
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

/** Whether the first login after a scan is worth another try. */
export function mayComeBack({ code, conflict }: Closing): boolean {
  return conflict === null && (code === null || code === 515 || code === 503);
}

/** Whether the network says that the device is not linked any more. */
export function saysRemoved({ code, conflict }: Closing): boolean {
  return conflict === 'device_removed' || (conflict === null && code === 401);
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}
