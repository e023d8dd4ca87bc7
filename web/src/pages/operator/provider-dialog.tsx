import { Modal, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ProviderView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { DialogEnd } from '../../parts/dialog-end.tsx';
import { NameField } from './name-field.tsx';
import { useChange } from './use-change.ts';
import { WholeNumber } from './whole-number.tsx';

interface ProviderDialogProps {
  readonly opened: boolean;
  /** null: a new one. */
  readonly provider: ProviderView | null;
  onClose(): void;
}

/** Creates a provider or changes it. */
export function ProviderDialog({ opened, ...form }: ProviderDialogProps) {
  return (
    <Modal opened={opened} onClose={form.onClose} title={form.provider === null ? 'New provider' : 'Edit provider'} centered>
      <ProviderForm {...form} />
    </Modal>
  );
}

const path = '/portal/api/operator/providers';

function ProviderForm({ provider, onClose }: Omit<ProviderDialogProps, 'opened'>) {
  const [name, setName] = useState(provider?.name ?? '');
  const [capacity, setCapacity] = useState<number | null>(provider?.number_capacity ?? null);
  const save = useChange(
    () => {
      const body = { name: name.trim(), number_capacity: capacity };
      return provider === null
        ? call<ProviderView>(path, { method: 'POST', body })
        : call<ProviderView>(`${path}/${encodeURIComponent(provider.provider_id)}`, { method: 'PATCH', body });
    },
    { said: (saved) => `The provider ${saved.name} is ${provider === null ? 'created' : 'changed'}.`, onDone: onClose },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <NameField value={name} onChange={setName} />
        <WholeNumber
          label="Numbers at most"
          description="How many numbers all its accounts may have together. A smaller count than there are stops further ones and takes none away."
          placeholder="No limit"
          value={capacity}
          onChange={setCapacity}
          min={0}
          max={10_000_000}
        />
        <DialogEnd change={save} onCancel={onClose}>
          {provider === null ? 'Create provider' : 'Save'}
        </DialogEnd>
      </Stack>
    </form>
  );
}
