import { Text } from '@mantine/core';
import type { FormEvent } from 'react';
import type { AlertTargetChange, AlertTargetView } from '../../../../src/portal/wire/alerts.ts';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { Dialog } from '../dialog.tsx';
import { DialogForm } from '../dialog-form.tsx';
import { useChange } from '../use-change.ts';
import type { AlertHome } from './home.ts';
import { ShownSecret } from './shown-secret.tsx';
import { targetBack } from './target-change.ts';
import { TargetForm, type TargetPlace } from './target-form.tsx';
import { targetName } from './words.ts';

interface NewTargetDialogProps {
  readonly opened: boolean;
  readonly home: AlertHome;
  readonly place?: TargetPlace | undefined;
  onClose(): void;
}

/** Adds a target; the secret of a webhook is shown once. */
export function NewTargetDialog({ opened, home, place, onClose }: NewTargetDialogProps) {
  const create = useChange((body: AlertTargetChange) => call(`POST ${home.base}`, { body }), {
    said: (made) =>
      made.confirm_by === null
        ? t('Alerts go to {{name}} from now on.', { name: targetName(made) })
        : t('Alerts go to {{name}} as soon as the link that was mailed there is opened.', { name: targetName(made) }),
    onDone: ({ secret }) => {
      if (secret === null) onClose();
    },
  });
  const secret = create.data?.secret ?? null;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={create.reset}
      title={secret === null ? t('Add a target') : t('The secret of the webhook')}
      busy={create.isPending}
      shownOnce={secret !== null}
      size="lg"
    >
      {secret === null ? (
        <TargetForm target={null} place={place} save={create} onClose={onClose} />
      ) : (
        <ShownSecret secret={secret} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface EditTargetDialogProps extends NewTargetDialogProps {
  readonly target: AlertTargetView;
}

/** Changes where a target is, what it is told of, and when not. */
export function EditTargetDialog({ opened, home, target, place, onClose }: EditTargetDialogProps) {
  const set = (body: AlertTargetChange) =>
    call(`PATCH ${home.base}/:id`, { params: { id: target.target_id }, body, account: home.account });
  const save = useChange(set, {
    back(body) {
      const was = targetBack(body, target);
      return was === null ? null : () => set(was);
    },
    said: (changed) => t('{{name}} has been changed.', { name: targetName(changed) }),
    onDone: onClose,
  });
  return (
    <Dialog opened={opened} onClose={onClose} onClosed={save.reset} title={t('Change {{name}}', { name: targetName(target) })} size="lg">
      <TargetForm target={target} place={place} save={save} onClose={onClose} />
    </Dialog>
  );
}

/** Replaces the secret of a webhook and shows the new one once. */
export function NewSecretDialog({ opened, home, target, onClose }: Omit<EditTargetDialogProps, 'place'>) {
  const replace = useChange(() => call(`POST ${home.base}/:id/secret`, { params: { id: target.target_id } }));
  const { data: made } = replace;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={replace.reset}
      title={made === undefined ? t('Make a new secret?') : t('The new secret of the webhook')}
      busy={replace.isPending}
      shownOnce={made !== undefined}
    >
      {made === undefined ? (
        <AskForSecret replace={replace} onClose={onClose} />
      ) : (
        <ShownSecret secret={made.secret} replaces onClose={onClose} />
      )}
    </Dialog>
  );
}

interface AskForSecretProps {
  readonly replace: { readonly error: unknown; readonly isPending: boolean; mutate(asked: undefined): void };
  onClose(): void;
}

function AskForSecret({ replace, onClose }: AskForSecretProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    replace.mutate(undefined);
  };
  return (
    <DialogForm onSubmit={submit} change={replace} confirm={t('Make new secret')} onCancel={onClose}>
      <Text size="sm">{t('Posts are signed with both secrets for 24 hours, so that your receiver can change over in the meantime.')}</Text>
    </DialogForm>
  );
}
