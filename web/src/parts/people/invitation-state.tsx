import { Badge } from '@mantine/core';
import type { InvitationDetail } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';

type State = InvitationDetail['state'];

const looks: Readonly<Record<State, { readonly color: string; readonly word: string; readonly text: string }>> = {
  open: { color: 'yellow', word: t('Pending'), text: t('Nobody has used the link yet.') },
  accepted: { color: 'gray', word: t('Accepted'), text: t('The link was used, and the person has the role.') },
  withdrawn: { color: 'gray', word: t('Withdrawn'), text: t('The link was taken back before it was used.') },
  replaced: { color: 'gray', word: t('Replaced'), text: t('It was sent again, and only the newer link works.') },
  expired: { color: 'orange', word: t('Expired'), text: t('Nobody used the link in time.') },
  ended: {
    color: 'gray',
    word: t('Ended'),
    text: t('The link stopped working: whoever made it lost the right to, or the person was removed since.'),
  },
};

/** What became of an invitation, by word and colour. */
export function InvitationState({ state }: { readonly state: State }) {
  const { color, word } = looks[state];
  return (
    <Badge component="span" color={color} variant="light" autoContrast>
      {word}
    </Badge>
  );
}

/** The same as a sentence. */
export function invitationStateText(state: State): string {
  return looks[state].text;
}
