import type { NumberSummary } from '../accounts/index.ts';
import { newChatsView } from '../http/index.ts';
import { type Status, standingOf, storedNewChats, storedProxy, storedRestriction } from '../sessions/index.ts';
import type { PortalOptions } from './portal-options.ts';
import { iso, isoOrNull } from './times.ts';
import type { NumberView } from './wire/index.ts';

type Used = Pick<PortalOptions, 'vault' | 'clock' | 'sessions'>;

/** Numbers as lists show them, with their live state; their proxies only to operators. */
export async function numberViews(
  options: Used,
  rows: readonly NumberSummary[],
  told: { readonly proxies: boolean },
): Promise<NumberView[]> {
  const statuses = await options.sessions.states.statusesOf(rows.map(({ id }) => id));
  // A number whose network is not enabled has no status: nothing connects it.
  return rows.map((row) => viewOf(options, row, statuses.get(row.id) ?? 'close', told));
}

/** The same for one number. */
export async function numberView(options: Used, row: NumberSummary, told: { readonly proxies: boolean }): Promise<NumberView> {
  return viewOf(options, row, (await options.sessions.states.statusesOf([row.id])).get(row.id) ?? 'close', told);
}

function viewOf({ vault, clock }: Used, row: NumberSummary, status: Status, { proxies }: { readonly proxies: boolean }): NumberView {
  const now = clock.now();
  const restriction = storedRestriction(row, now);
  const standing = standingOf({ status, phoneNumber: row.phone_number, restriction });
  return {
    instance_id: row.id,
    account_id: row.account_id,
    account_name: row.account_name,
    label: row.label,
    phone_number: row.phone_number,
    network: row.network,
    status,
    // The status is live, so that `linked`, which stands for an unknown one, cannot be.
    standing: standing === 'linked' ? 'connected' : standing,
    restriction: restriction === null ? null : { reason: restriction.reason, until: isoOrNull(restriction.until) },
    new_chats: newChatsView(storedNewChats(row, now)),
    proxy: proxies ? storedProxy(vault, row) : null,
    created_at: iso(row.created_at),
  };
}
