import { Text } from '@mantine/core';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useChange } from '../../parts/use-change.ts';

interface SuspendDialogProps {
  readonly opened: boolean;
  readonly what: 'account' | 'provider';
  readonly id: string;
  readonly name: string;
  /** As it is now. */
  readonly status: 'active' | 'suspended';
  /** False where it could not be made as it was: what somebody else suspended would be suspended by this person. */
  readonly undoable?: boolean;
  onClose(): void;
}

const words = {
  account: {
    suspend: [
      t('From its next request on, this account can no longer send messages or add numbers.'),
      t('Its numbers stay linked, and its people can still sign in. Nothing is lost: resume it at any time.'),
    ],
    resume: [t('From its next request on, the account can send again, as far as its plan and access allow.')],
  },
  provider: {
    suspend: [
      t("From their next request on, this provider's accounts can no longer send messages or add numbers."),
      t('Their numbers stay linked, and their people can still sign in. Nothing is lost: resume the provider at any time.'),
    ],
    resume: [
      t("From their next request on, this provider's accounts can send again. Accounts that were suspended individually stay suspended."),
    ],
  },
} as const;

const confirms = {
  account: { suspend: t('Suspend account'), resume: t('Resume account') },
  provider: { suspend: t('Suspend provider'), resume: t('Resume provider') },
} as const;

/** Suspends or resumes an account or a whole provider, after saying what that does. */
export function SuspendDialog({ opened, what, id, name, status, undoable = true, onClose }: SuspendDialogProps) {
  const suspends = status === 'active';
  const next = suspends ? 'suspended' : 'active';
  const set = (to: 'active' | 'suspended') => call(`PATCH /portal/api/operator/${what}s/:id`, { params: { id }, body: { status: to } });
  const change = useChange(() => set(next), {
    back: () => (undoable ? () => set(status) : null),
    said: () => (suspends ? t('{{name}} is suspended.', { name }) : t('{{name}} is active again.', { name })),
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={suspends ? t('Suspend {{name}}?', { name }) : t('Resume {{name}}?', { name })}
      confirm={confirms[what][suspends ? 'suspend' : 'resume']}
      danger={suspends}
      change={change}
      onConfirm={() => change.mutate(undefined)}
      onClose={onClose}
    >
      {words[what][suspends ? 'suspend' : 'resume'].map((text) => (
        <Text key={text} size="sm">
          {text}
        </Text>
      ))}
    </ConfirmDialog>
  );
}
