import type { AccountView } from '../../../../src/portal/wire/index.ts';
import { People } from '../../parts/people/people.tsx';
import { Section } from './section.tsx';

/** Who belongs to an account, and who is invited. */
export function AccountPeople({ account }: { readonly account: AccountView }) {
  return (
    <People
      account={account}
      order={3}
      frame={(inviteButton, list) => (
        <Section title="People" actions={inviteButton}>
          {list}
        </Section>
      )}
    />
  );
}
