import { Stack, Text } from '@mantine/core';
import type { NewInvitationView } from '../../../../src/portal/wire/account.ts';
import { t } from '../../language/language.ts';
import { InvitationMade } from '../../parts/people/resend.tsx';

interface AccountMadeProps {
  readonly name: string;
  /** Of its first owner. */
  readonly invitation: NewInvitationView;
  onClose(): void;
}

/** A new account is there; its owner's invitation may still have to be handed over. */
export function AccountMade({ name, invitation, onClose }: AccountMadeProps) {
  return (
    <Stack>
      <Text size="sm" role="status">
        {t('The account {{name}} is created, and its owner is invited.', { name })}
      </Text>
      <InvitationMade invitation={invitation} at="anywhere" onClose={onClose} />
    </Stack>
  );
}
