import type { AccountView } from '../../../../src/portal/wire/account.ts';
import { t } from '../../language/language.ts';
import { People } from '../../parts/people/people.tsx';
import { Section } from '../../parts/section.tsx';

/** The members and invitations of an account. */
export function AccountPeople({ account }: { readonly account: AccountView }) {
  return (
    <People
      account={account}
      order={3}
      pages="administrators"
      frame={(inviteButton, list) => (
        <Section title={t('People')} actions={inviteButton}>
          {list}
        </Section>
      )}
    />
  );
}
