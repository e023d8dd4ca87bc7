import { Text, TextInput } from '@mantine/core';
import type { NumberView } from '../../../../src/portal/wire/operator.ts';
import { call } from '../../api/client.ts';
import { Trans, t } from '../../language/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { nameOf } from '../../parts/number-words.ts';
import { useChange } from '../../parts/use-change.ts';
import { useSentForm } from '../../parts/use-sent-form.ts';

interface ProxyDialogProps {
  readonly opened: boolean;
  readonly number: NumberView;
  onClose(): void;
}

interface ProxyFields {
  readonly proxy: string;
}

/** Sets the proxy that a number connects through. */
export function ProxyDialog({ opened, ...form }: ProxyDialogProps) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={t('Proxy of {{name}}', { name: nameOf(form.number) })}>
      <ProxyForm {...form} />
    </Dialog>
  );
}

function ProxyForm({ number, onClose }: Omit<ProxyDialogProps, 'opened'>) {
  const save = useSaveProxy(number, onClose);
  const { form, submit, failed } = useSentForm<ProxyFields>(save, {
    initialValues: { proxy: '' },
    transformValues: ({ proxy }) => ({ proxy: proxy.trim() }),
    validate: { proxy: (proxy) => (proxy.trim() === '' ? t('Enter the address of a proxy.') : null) },
  });
  return (
    <DialogForm onSubmit={submit} change={failed} confirm={t('Set proxy')} onCancel={onClose}>
      {number.proxy !== null && (
        <Text size="sm">
          <Trans
            i18nKey="It currently connects through <b>{{proxy}}</b>. The user name and password are stored and never shown, so enter the new address in full."
            values={{ proxy: number.proxy }}
            components={{ b: <Text span inherit fw={600} style={{ overflowWrap: 'anywhere' }} /> }}
          />
        </Text>
      )}
      <Text size="sm">
        {number.network === 'sandbox'
          ? t('The sandbox connects to nothing, so a proxy has no effect on this number.')
          : t('The number reconnects at once. If the proxy cannot be reached, the number stays disconnected; nothing bypasses the proxy.')}
      </Text>
      <TextInput
        label={t('Address')}
        description={t('socks5://host:port or http://host:port, with user:password@ before the host if the proxy needs them.')}
        placeholder="socks5://user:password@host:1080"
        maxLength={1000}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('proxy')}
      />
    </DialogForm>
  );
}

/** Takes the proxy of a number away, after saying what that does. */
export function RemoveProxyDialog({ opened, number, onClose }: ProxyDialogProps) {
  const save = useSaveProxy(number, onClose);
  return (
    <ConfirmDialog
      opened={opened}
      title={t('Remove the proxy of {{name}}?', { name: nameOf(number) })}
      confirm={t('Remove proxy')}
      change={save}
      onConfirm={() => save.mutate({ proxy: null })}
      onClose={onClose}
    >
      <Text size="sm">{t("The number reconnects at once, from this server's own address. The proxy's address is forgotten.")}</Text>
    </ConfirmDialog>
  );
}

function useSaveProxy(number: NumberView, onDone: () => void) {
  return useChange(
    (body: { readonly proxy: string | null }) =>
      call('PATCH /portal/api/operator/numbers/:id', { params: { id: number.instance_id }, body }),
    {
      said: ({ proxy }) =>
        proxy === null
          ? t('{{name}} no longer has a proxy.', { name: nameOf(number) })
          : t('{{name}} connects through {{proxy}}.', { name: nameOf(number), proxy }),
      onDone,
    },
  );
}
