import { type Act, type Actor, recordAudit } from '../audit/index.ts';
import { GatewayError, newId } from '../core/index.ts';
import type { Db, InstanceRow, Store } from '../store/index.ts';
import { makerMayStill } from './makers.ts';
import { hashToken, linkExpired, newToken } from './one-time-links.ts';
import { deleteUnusedScanLinks, insertScanLink, selectScanLink, selectUsableScanLinks, takeScanLink } from './queries/scan-links.ts';

const lifetimeMs = 60 * 60 * 1000;

/** Why a scan link no longer works; only whoever has its token learns it. */
const endings = {
  used: 'The number of this link has been linked, so the link is used up.',
  expired: 'This link has expired: it was valid for one hour. Ask for a new one.',
  number_deleted: 'The number of this link has been deleted.',
} as const;

/** A link that can be used now, and by whose right. */
export interface ScanLink {
  readonly id: string;
  readonly instanceId: string;
  readonly label: string | null;
  readonly network: InstanceRow['network'];
  readonly accountId: string;
  readonly accountName: string;
  readonly providerId: string;
  readonly maker: Actor;
  readonly expiresAt: number;
}

/** A link by which whoever holds the phone links this number, and does nothing else. An earlier unused one of the number ends. */
export async function makeScanLink(
  store: Store,
  number: Pick<InstanceRow, 'id' | 'account_id'>,
  act: Act,
): Promise<{ readonly token: string; readonly expiresAt: number }> {
  const token = newToken();
  const expiresAt = act.now + lifetimeMs;
  await store.transaction(async (trx) => {
    await deleteUnusedScanLinks(trx, number.id);
    await insertScanLink(trx, {
      id: newId(),
      token_hash: hashToken(token),
      instance_id: number.id,
      maker_id: act.actor.kind === 'user' ? act.actor.id : null,
      expires_at: expiresAt,
      used_at: null,
    });
    await recordAudit(trx, act, { action: 'number.scan_link', targetId: number.id, accountId: number.account_id, details: {} });
  });
  return { token, expiresAt };
}

/** The scan link of a token; null when it is none. Throws link_expired when it cannot be used any more. */
export async function findScanLink(store: Store, token: string, now: number): Promise<ScanLink | null> {
  const row = await selectScanLink(store.db, hashToken(token));
  if (row === undefined) return null;
  const { account_id, account_name, provider_id, network } = row;
  if (account_id === null || account_name === null || provider_id === null || network === null) throw ended('number_deleted');
  if (row.used_at !== null) throw ended('used');
  if (row.expires_at <= now) throw ended('expired');
  // Whoever may invite people to the account may have its numbers linked.
  const asInvitation = { purpose: 'invitation', email: null, provider_id: null, account_id, maker_id: row.maker_id } as const;
  if (!(await makerMayStill(store.db, asInvitation))) throw linkExpired();
  return {
    id: row.id,
    instanceId: row.instance_id,
    label: row.label,
    network,
    accountId: account_id,
    accountName: account_name,
    providerId: provider_id,
    maker: makerOf(row),
    expiresAt: row.expires_at,
  };
}

/** To be called in the transaction that links a number: its link is used up. */
export async function useUpScanLinks(trx: Db, { id, accountId }: { readonly id: string; readonly accountId: string }, now: number) {
  for (const link of await selectUsableScanLinks(trx, id, now)) {
    await takeScanLink(trx, link.id, now);
    const act = { actor: makerOf(link), now };
    await recordAudit(trx, act, { action: 'number.scan_link_used', targetId: id, accountId, details: {} });
  }
}

function ended(reason: keyof typeof endings): GatewayError {
  return new GatewayError('link_expired', endings[reason], { reason });
}

function makerOf({ maker_id, maker_email }: { readonly maker_id: string | null; readonly maker_email: string | null }): Actor {
  if (maker_id === null) return { kind: 'command_line' };
  return { kind: 'user', id: maker_id, name: maker_email ?? '' };
}
