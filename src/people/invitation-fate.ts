import { selectActorAt } from '../audit/index.ts';
import type { OneTimeLinkRow, Store } from '../store/index.ts';
import { makerMayStill } from './makers.ts';
import { selectInvitationMadeAt } from './queries/links.ts';
import { selectMembershipAt } from './queries/memberships.ts';
import { selectUserByEmail } from './queries/users.ts';

/**
 * What became of an invitation: it can be used (`open`), was used (`accepted`), was taken back, gave way to another one to the same place, or
 * was too old. `ended`: whoever made it lost the right to, or the person was removed.
 */
export type InvitationFate = 'open' | 'accepted' | 'withdrawn' | 'replaced' | 'expired' | 'ended';

/** Between the use of a link and the role that it gives. */
const joiningMs = 60_000;

/** What became of this invitation. The link itself notes only that it ended; what ended it left its mark elsewhere at the same moment. */
export async function invitationFate({ db }: Pick<Store, 'db'>, link: OneTimeLinkRow, now: number): Promise<InvitationFate> {
  const { id, email, used_at: ended } = link;
  if (ended === null) {
    if (link.expires_at <= now) return 'expired';
    return (await makerMayStill(db, link)) ? 'open' : 'ended';
  }
  if ((await selectActorAt(db, { action: 'user.withdraw', targetId: id, at: ended })) !== undefined) return 'withdrawn';
  if (await selectInvitationMadeAt(db, link, ended)) return 'replaced';
  const person = email === null ? undefined : await selectUserByEmail(db, email);
  const role = person === undefined ? undefined : await selectMembershipAt(db, person.id, link);
  const since = role === undefined ? Number.NaN : role.created_at - ended;
  return since >= 0 && since < joiningMs ? 'accepted' : 'ended';
}
