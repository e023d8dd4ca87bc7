import { Alert, Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { accountQuery, type Instance, instancesQuery } from '../../api/queries.ts';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { networkName } from '../../parts/number-words.ts';
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

/** Makes room for a new number; linking it follows. */
export function AddDialog({ opened, ...form }: AddDialogProps) {
  return (
    <Modal opened={opened} onClose={form.onClose} title="Add a number" centered>
      <AddForm {...form} />
    </Modal>
  );
}

function AddForm({ numbers, onAdded, onClose }: Omit<AddDialogProps, 'opened'>) {
  const { networks } = useSession();
  const [network, setNetwork] = useState<string | undefined>(networks[0]);
  const queryClient = useQueryClient();
  const accountId = useAccountId();
  const { data: account } = useQuery(accountQuery(accountId));
  const full = account === undefined ? null : whyFull(account, numbers);
  const add = useMutation({
    mutationFn: (label: string) =>
      call<Instance>('/v1/instances', { method: 'POST', body: { network, ...(label === '' ? {} : { label }) } }),
    async onSuccess({ instance_id }) {
      await queryClient.invalidateQueries(instancesQuery(accountId));
      void queryClient.invalidateQueries(accountQuery(accountId));
      onAdded(instance_id);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    add.mutate(String(new FormData(event.currentTarget).get('label')).trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {full !== null && add.error === null && (
          <Alert color="orange" icon={<IconInfoCircle aria-hidden />}>
            {full}
          </Alert>
        )}
        <TextInput
          name="label"
          label="Name"
          description="To tell your numbers apart, for example “Shop” or “Deliveries”. You can change it at any time."
          maxLength={60}
          autoComplete="off"
          data-autofocus
        />
        {networks.length > 1 ? (
          <Radio.Group label="Kind of number" value={network ?? null} onChange={setNetwork}>
            <Stack gap="xs" mt={6}>
              {networks.map((one) => (
                <Radio.Card
                  key={one}
                  value={one}
                  className={classes.choice}
                  aria-label={networkName(one)}
                  aria-describedby={`about-${one}`}
                >
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
            {network === undefined ? '' : aboutNetwork(network)}
          </Text>
        )}
        <FailureAlert error={inPlainWords(add.error)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending}>
            Add and link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function aboutNetwork(network: string): string {
  switch (network) {
    case 'whatsapp':
      return 'Your own phone number. You link it with the phone in your hand, and messages reach people.';
    case 'sandbox':
      return 'A pretend number for trying things out. It needs no phone, and nothing reaches anyone.';
    default:
      return '';
  }
}
