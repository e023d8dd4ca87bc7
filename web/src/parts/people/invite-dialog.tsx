import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { matches, type UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { NewInvitationView } from '../../../../src/portal/wire/account.ts';
import type { Role } from '../../../../src/portal/wire/session.ts';
import { t } from '../../language/language.ts';
import { Dialog } from '../dialog.tsx';
import { DialogForm } from '../dialog-form.tsx';
import { useChange } from '../use-change.ts';
import { useSentForm } from '../use-sent-form.ts';
import { InvitationMade, type InvitedAt } from './resend.tsx';
import { roleIn, roleName } from './role-name.ts';

/** The values of the invitation form. The ids count only for roles that need them. */
export interface Invitation {
  readonly email: string;
  readonly role: Role;
  readonly account_id: string | null;
  readonly provider_id: string | null;
}

interface InviteDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** Roles to choose from, the usual one first. */
  readonly roles: readonly [Role, ...Role[]];
  /** Where the invitation can be sent again from. */
  readonly at: InvitedAt;
  invite(invitation: Invitation): Promise<NewInvitationView>;
  /** Where the role holds, when that is to be chosen. */
  readonly place?: { readonly provider_id: string | null; fields(form: UseFormReturnType<Invitation>): ReactNode };
  onClose(): void;
}

const roleTexts: Readonly<Record<Role, string>> = {
  operator: t('Runs the whole gateway: every account, provider and plan.'),
  provider_admin: t('Runs the accounts of one provider, and nothing beyond them.'),
  owner: t('Uses an account, and decides who else may.'),
  member: t('Uses an account: numbers, keys and messages.'),
};

/** Invites somebody to a role; the link is shown once. */
export function InviteDialog({ opened, title, at, onClose, ...form }: InviteDialogProps) {
  const invite = useChange(form.invite);
  const { data: made } = invite;
  return (
    <Dialog opened={opened} onClose={onClose} onClosed={invite.reset} title={title} busy={invite.isPending} shownOnce={made !== undefined}>
      {made === undefined ? <Form {...form} change={invite} onClose={onClose} /> : <Made made={made} at={at} onClose={onClose} />}
    </Dialog>
  );
}

interface FormProps extends Pick<InviteDialogProps, 'roles' | 'place' | 'onClose'> {
  readonly change: { readonly error: unknown; readonly isPending: boolean; mutate(invitation: Invitation): void };
}

function Form({ roles, place, change, onClose }: FormProps) {
  const initialValues: Invitation = { email: '', role: roles[0], account_id: null, provider_id: place?.provider_id ?? null };
  const { form, submit, failed } = useSentForm(change, {
    initialValues,
    transformValues: (values) => ({ ...values, email: values.email.trim() }),
    validate: {
      // The server knows better which addresses are possible.
      email: matches(/^\s*\S+@\S+\s*$/, t('Enter an e-mail address, such as ana@example.com.')),
      account_id: (id, { role }) =>
        place !== undefined && (role === 'owner' || role === 'member') && id === null ? t('Choose an account.') : null,
      provider_id: (id, { role }) => (place !== undefined && role === 'provider_admin' && id === null ? t('Choose a provider.') : null),
    },
  });
  return (
    <DialogForm onSubmit={submit} change={failed} confirm={t('Create invitation')} onCancel={onClose}>
      <TextInput
        type="email"
        label={t('E-mail address')}
        maxLength={254}
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <Radio.Group label={t('Role')} {...form.getInputProps('role')}>
        <Stack gap="xs" mt={6}>
          {roles.map((role) => (
            <Radio key={role} value={role} label={roleName(role)} description={roleTexts[role]} />
          ))}
        </Stack>
      </Radio.Group>
      {place?.fields(form)}
    </DialogForm>
  );
}

function Made({ made, at, onClose }: { readonly made: NewInvitationView; readonly at: InvitedAt; onClose(): void }) {
  return (
    <Stack>
      <Text size="sm" role="status">
        {t('The invitation is ready: {{role}}.', { role: roleIn(made.role, made.leads_to) })}
      </Text>
      <InvitationMade invitation={made} at={at} onClose={onClose} />
    </Stack>
  );
}
