import { type BinaryNode, getBinaryNodeChild } from 'baileys';

/**
 * When the network will stop accepting this connection's version (epoch milliseconds), from its `<ib><client_expiration t/>`. null: it will not,
 * which the network says with a notice without `t`. undefined: the notice cannot be used. See oxidezap/whatsapp-rust src/handlers/ib.rs.
 */
export function expirationIn(stanza: BinaryNode): number | null | undefined {
  const notice = getBinaryNodeChild(stanza, 'client_expiration');
  if (notice === undefined) return undefined;
  const { t } = notice.attrs;
  if (t === undefined) return null;
  return /^[1-9]\d{8,10}$/.test(t) ? Number(t) * 1000 : undefined;
}
