import { Menu } from '@mantine/core';
import type { MemberView } from '../../../../src/portal/wire/account.ts';
import { t } from '../../language/language.ts';
import { Moment } from '../moment.tsx';
import { MoreMenu } from '../more-menu.tsx';
import { RecordTable } from '../record-table.tsx';
import { useQuestion } from '../use-question.ts';
import { memberActions } from './member-actions.ts';
import { MemberDialog, type MemberQuestion } from './member-dialog.tsx';
import type { AccountOfPeople } from './members.ts';
import type { PagesOfPeople } from './pages.ts';
import { PersonName } from './person-name.tsx';
import { roleName } from './role-name.ts';
import { YouBadge } from './you-badge.tsx';

interface MemberTableProps {
  readonly account: AccountOfPeople;
  readonly members: readonly MemberView[];
  /** Which page of theirs each leads to. */
  readonly pages: PagesOfPeople;
}

/** The people of an account and what can be done about each. */
export function MemberTable({ account, members, pages }: MemberTableProps) {
  const question = useQuestion<MemberQuestion>();
  return (
    <>
      <RecordTable
        label={t('People')}
        rows={members}
        keyOf={({ user_id }) => user_id}
        columns={[
          { label: t('Person'), cell: (member) => <Member member={member} pages={pages} /> },
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

function Member({ member, pages }: { readonly member: MemberView; readonly pages: PagesOfPeople }) {
  return (
    <PersonName person={member} pages={pages}>
      <YouBadge userId={member.user_id} />
    </PersonName>
  );
}

function MemberMenu({ member, onAsk }: { readonly member: MemberView; onAsk(question: MemberQuestion): void }) {
  return (
    <MoreMenu name={member.name} width={220}>
      {(asking) =>
        memberActions(member).map(({ change, label, icon: Icon, danger }) => (
          <Menu.Item
            key={change}
            {...(danger ? { c: 'var(--mantine-color-red-text)' } : {})}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={asking(() => onAsk({ member, change }))}
          >
            {label}
          </Menu.Item>
        ))
      }
    </MoreMenu>
  );
}
