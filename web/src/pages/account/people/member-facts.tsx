import type { MemberDetail } from '../../../../../src/portal/wire/account.ts';
import { t } from '../../../language/language.ts';
import { FactPanels } from '../../../parts/facts.tsx';
import { Moment } from '../../../parts/moment.tsx';
import { roleName } from '../../../parts/people/role-name.ts';
import { ShownId } from '../../../parts/shown-id.tsx';
import { Ago } from '../../../parts/time/ago.tsx';

/** What an owner may know of a member: nothing of other accounts that they belong to. */
export function MemberFacts({ member }: { readonly member: MemberDetail }) {
  const { user_id, email, role, two_factor, last_seen_at, joined_at } = member;
  return (
    <FactPanels
      panels={[
        [
          [t('E-mail address'), <ShownId key="email" id={email} label={t('e-mail address')} />],
          [t('Role'), roleName(role)],
          [t('Two-factor'), two_factor ? t('On') : t('Off')],
        ],
        [
          [t('Last seen'), <Ago key="seen" at={last_seen_at} none={t('Not signed in')} size="sm" />],
          [t('Joined'), <Moment key="joined" at={joined_at} size="sm" />],
          [t('User ID'), <ShownId key="id" id={user_id} label={t('user ID')} />],
        ],
      ]}
    />
  );
}
