import { type BinaryNode, getBinaryNodeChild } from 'baileys';

/**
 * When the version of this connection ends (epoch milliseconds), from the network's `<ib><client_expiration t/>`; null: not any more, which is
 * a notice without `t`; undefined: what it says cannot be used. See oxidezap/whatsapp-rust src/handlers/ib.rs.
 */
export function expirationIn(stanza: BinaryNode): number | null | undefined {
  const notice = getBinaryNodeChild(stanza, 'client_expiration');
  if (notice === undefined) return undefined;
  const { t } = notice.attrs;
  if (t === undefined) return null;
  return /^[1-9]\d{8,10}$/.test(t) ? Number(t) * 1000 : undefined;
}
