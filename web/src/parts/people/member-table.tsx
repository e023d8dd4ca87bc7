import { Badge, Menu } from '@mantine/core';
import { IconUserDown, IconUserMinus, IconUserUp } from '@tabler/icons-react';
import type { MemberView } from '../../../../src/portal/wire/index.ts';
import { t } from '../../language/language.ts';
import { useSession } from '../../session/session.ts';
import { Moment } from '../moment.tsx';
import { MoreMenu } from '../more-menu.tsx';
import { RecordTable } from '../record-table.tsx';
import { useQuestion } from '../use-question.ts';
import { MemberDialog, type MemberQuestion } from './member-dialog.tsx';
import type { AccountOfPeople } from './members.ts';
import { PersonName } from './person-name.tsx';
import { roleName } from './role-name.ts';

interface MemberTableProps {
  readonly account: AccountOfPeople;
  readonly members: readonly MemberView[];
  /** Whether each leads to their page. */
  readonly linked: boolean;
}

/** The people of an account and what can be done about each. */
export function MemberTable({ account, members, linked }: MemberTableProps) {
  const question = useQuestion<MemberQuestion>();
  return (
    <>
      <RecordTable
        label={t('People')}
        rows={members}
        keyOf={({ user_id }) => user_id}
        columns={[
          { label: t('Person'), cell: (member) => <Member member={member} linked={linked} /> },
          { label: t('Role'), cell: ({ role }) => roleName(role) },
          { label: t('Two-factor'), cell: ({ two_factor }) => (two_factor ? t('On') : t('Off')) },
          { label: t('Joined'), cell: ({ joined_at }) => <Moment at={joined_at} day size="sm" /> },
        ]}
        actions={(member) => <MemberMenu member={member} onAsk={question.ask} />}
      />
      {question.about !== null && (
        <MemberDialog
          key={`${question.about.member.user_id} ${question.about.change}`}
          opened={question.opened}
          account={account}
          question={question.about}
          onClose={question.close}
        />
      )}
    </>
  );
}

function Member({ member, linked }: { readonly member: MemberView; readonly linked: boolean }) {
  const { user } = useSession();
  const you = (
    <Badge size="sm" variant="light" color="gray" autoContrast>
      {t('You')}
    </Badge>
  );
  return (
    <PersonName person={member} linked={linked}>
      {member.user_id === user.user_id && you}
    </PersonName>
  );
}

function MemberMenu({ member, onAsk }: { readonly member: MemberView; onAsk(question: MemberQuestion): void }) {
  const rises = member.role !== 'owner';
  return (
    <MoreMenu name={member.name} width={220}>
      {(asking) => (
        <>
          <Menu.Item
            leftSection={rises ? <IconUserUp size={16} aria-hidden /> : <IconUserDown size={16} aria-hidden />}
            onClick={asking(() => onAsk({ member, change: rises ? 'owner' : 'member' }))}
          >
            {rises ? t('Make an owner') : t('Make a member')}
          </Menu.Item>
          <Menu.Item
            c="var(--mantine-color-red-text)"
            leftSection={<IconUserMinus size={16} aria-hidden />}
            onClick={asking(() => onAsk({ member, change: 'remove' }))}
          >
            {t('Remove from the account')}
          </Menu.Item>
        </>
      )}
    </MoreMenu>
  );
}
