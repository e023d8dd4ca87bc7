import { IconUserDown, IconUserMinus, IconUserUp } from '@tabler/icons-react';
import type { MemberView } from '../../../../src/portal/wire/account.ts';
import { t } from '../../language/language.ts';
import type { MemberQuestion } from './member-dialog.tsx';

interface MemberAction {
  readonly change: MemberQuestion['change'];
  readonly label: string;
  readonly icon: typeof IconUserMinus;
  readonly danger: boolean;
}

/** What can be done about a member: in the menu of their row and on their page. */
export function memberActions({ role }: Pick<MemberView, 'role'>): readonly MemberAction[] {
  return [
    role === 'owner'
      ? { change: 'member', label: t('Make a member'), icon: IconUserDown, danger: false }
      : { change: 'owner', label: t('Make an owner'), icon: IconUserUp, danger: false },
    { change: 'remove', label: t('Remove from the account'), icon: IconUserMinus, danger: true },
  ];
}
