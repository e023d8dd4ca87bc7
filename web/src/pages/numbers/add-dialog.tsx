import { Alert, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { accountQuery } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { networkName } from '../../parts/number-words.ts';
import { useChange } from '../../parts/use-change.ts';
import { useSentForm } from '../../parts/use-sent-form.ts';
import { useAccountId, useSession } from '../../session/session.ts';
import { inPlainWords, whyFull } from './failure-words.ts';
import classes from './numbers.module.css';

interface AddDialogProps {
  readonly opened: boolean;
  /** How many the account has already. */
  readonly numbers: number;
  /** The new number waits to be linked. */
  onAdded(id: string): void;
  onClose(): void;
}

interface NewNumber {
  readonly network: string;
  readonly label: string;
}

/** Creates a new number; linking follows. */
export function AddDialog({ opened, numbers, onAdded, onClose }: AddDialogProps) {
  const add = useChange(
    ({ network, label }: NewNumber) => call('POST /v1/instances', { body: { network, ...(label === '' ? {} : { label }) } }),
    { onDone: ({ instance_id }) => onAdded(instance_id) },
  );
  return (
    <Dialog opened={opened} onClose={onClose} onClosed={add.reset} title={t('Add a number')} busy={add.isPending}>
      <AddForm numbers={numbers} add={add} onClose={onClose} />
    </Dialog>
  );
}

interface AddFormProps extends Pick<AddDialogProps, 'numbers' | 'onClose'> {
  readonly add: { readonly error: unknown; readonly isPending: boolean; mutate(number: NewNumber): void };
}

function AddForm({ numbers, add, onClose }: AddFormProps) {
  const { networks } = useSession();
  const { data: account } = useQuery(accountQuery(useAccountId()));
  const full = account === undefined ? null : whyFull(account, numbers);
  const { form, submit, failed } = useSentForm(add, {
    initialValues: { label: '', network: networks[0] ?? '' },
    transformValues: ({ label, network }) => ({ label: label.trim(), network }),
  });
  const { network } = form.values;
  return (
    <DialogForm onSubmit={submit} change={{ ...failed, error: inPlainWords(failed.error) }} confirm={t('Add and link')} onCancel={onClose}>
      {full !== null && add.error === null && (
        <Alert color="orange" icon={<IconInfoCircle aria-hidden />}>
          {full}
        </Alert>
      )}
      <TextInput
        label={t('Name')}
        description={t('To tell your numbers apart, for example “Shop” or “Deliveries”. You can change it at any time.')}
        maxLength={60}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('label')}
      />
      {networks.length > 1 ? (
        <Radio.Group label={t('Kind of number')} {...form.getInputProps('network')}>
          <Stack gap="xs" mt={6}>
            {networks.map((one) => (
              <Radio.Card key={one} value={one} className={classes.choice} aria-label={networkName(one)} aria-describedby={`about-${one}`}>
                <Group wrap="nowrap" align="flex-start">
                  <Radio.Indicator mt={2} />
                  <div>
                    <Text fw={600}>{networkName(one)}</Text>
                    <Text size="sm" c="dimmed" id={`about-${one}`}>
                      {aboutNetwork(one)}
                    </Text>
                  </div>
                </Group>
              </Radio.Card>
            ))}
          </Stack>
        </Radio.Group>
      ) : (
        <Text size="sm" c="dimmed">
          {aboutNetwork(network)}
        </Text>
      )}
    </DialogForm>
  );
}

function aboutNetwork(network: string): string {
  switch (network) {
    case 'whatsapp':
      return t('Your own phone number. You link it with your phone, and messages reach real people.');
    case 'sandbox':
      return t('A simulated number for trying things out. It needs no phone, and nothing reaches anyone.');
    default:
      return '';
  }
}
