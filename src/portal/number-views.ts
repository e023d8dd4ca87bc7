import type { NumberSummary } from '../accounts/index.ts';
import { isoOrNull } from '../core/index.ts';
import {
  type ChatBudget,
  causeOf,
  chatBudgetView,
  historyView,
  numberView as ofNumber,
  type ShownNumber,
  type Status,
  standingOf,
  storedNumber,
  storedProxy,
  numberDetail as whole,
} from '../sessions/index.ts';
import { numberSends, selectLastSends } from '../usage/index.ts';
import { spoken } from './language.ts';
import type { PortalOptions } from './portal-options.ts';
import { requestView } from './views.ts';
import type { NumberView } from './wire/operator.ts';

/** The standing of a number whose status is live, so that `linked`, which stands for an unknown one, cannot be. */
function liveStanding(number: Parameters<typeof standingOf>[0]): NumberView['standing'] {
  const standing = standingOf(number);
  return standing === 'linked' ? 'connected' : standing;
}

/** What a number is called where several are named. */
export const shortName = ({ instance_id, label, phone_number }: Pick<NumberView, 'instance_id' | 'label' | 'phone_number'>): string =>
  label ?? (phone_number === null ? instance_id.slice(0, 8) : `+${phone_number}`);

/** Numbers as lists show them, with their live state; their proxies only to operators. */
export async function numberViews(
  { store, vault, clock, sessions }: Pick<PortalOptions, 'store' | 'vault' | 'clock' | 'sessions'>,
  rows: readonly NumberSummary[],
  { proxies }: { readonly proxies: boolean },
): Promise<NumberView[]> {
  const ids = rows.map(({ id }) => id);
  const [statuses, lastSends] = await Promise.all([sessions.states.statuses(ids), selectLastSends(store.db, ids)]);
  return rows.map((row) => {
    const number = storedNumber(row, clock.now());
    // A number whose network is not enabled has no status: nothing connects it.
    const status = statuses.get(row.id) ?? 'close';
    const standing = liveStanding({ ...number, status });
    return {
      ...ofNumber(number),
      account_name: row.account_name,
      status,
      standing,
      ...causeOf(row, number.restriction, standing),
      last_sent_at: isoOrNull(lastSends.get(row.id) ?? null),
      proxy: proxies ? storedProxy(vault, row) : null,
    };
  });
}

/** What is known of a number before its history is read. */
interface KnownNumber extends Omit<ShownNumber, 'standing'> {
  readonly accountName: string;
  readonly status: Status;
  readonly chatBudget: ChatBudget | null;
}

/** All there is to know of one number, as its page shows it. */
export async function numberDetail(options: PortalOptions, request: Parameters<typeof spoken>[1], number: KnownNumber) {
  const standing = liveStanding(number);
  const { store, clock, whatsappVersion } = options;
  const asked = { now: clock.now(), whatsappVersion, t: spoken(options, request) };
  const [{ view, history, sent, failures, prefixes }, sends] = await Promise.all([
    whole(store, { ...number, standing }, asked),
    numberSends(store, number, asked.now),
  ]);
  return {
    ...view,
    account_name: number.accountName,
    status: number.status,
    standing,
    chat_budget: chatBudgetView(number.chatBudget),
    last_send: sent === null ? null : requestView(sent, prefixes),
    sends,
    last_failures: failures.map((failure) => requestView(failure, prefixes)),
    history: history.map(historyView),
  };
}
