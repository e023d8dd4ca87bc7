import { Modal, Stack, Switch, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { PlanView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { DialogEnd } from '../../parts/dialog-end.tsx';
import { NameField } from './name-field.tsx';
import { useChange } from './use-change.ts';
import { WholeNumber } from './whole-number.tsx';

interface PlanDialogProps {
  readonly opened: boolean;
  /** null: a new one. */
  readonly plan: PlanView | null;
  onClose(): void;
}

/** Creates a plan or changes it. */
export function PlanDialog({ opened, ...form }: PlanDialogProps) {
  return (
    <Modal opened={opened} onClose={form.onClose} title={form.plan === null ? 'New plan' : 'Edit plan'} centered>
      <PlanForm {...form} />
    </Modal>
  );
}

const path = '/portal/api/operator/plans';

function PlanForm({ plan, onClose }: Omit<PlanDialogProps, 'opened'>) {
  const [name, setName] = useState(plan?.name ?? '');
  const [perMinute, setPerMinute] = useState<number | null>(plan?.messages_per_minute ?? 60);
  const [numbers, setNumbers] = useState<number | null>(plan?.instance_limit ?? 1);
  const [trial, setTrial] = useState(plan !== null && plan.trial_message_limit !== null);
  const [messages, setMessages] = useState<number | null>(plan?.trial_message_limit ?? 100);
  const save = useChange(
    () => {
      const body = {
        name: name.trim(),
        messages_per_minute: perMinute,
        instance_limit: numbers,
        trial_message_limit: trial ? messages : null,
      };
      return plan === null
        ? call<PlanView>(path, { method: 'POST', body })
        : call<PlanView>(`${path}/${encodeURIComponent(plan.plan_id)}`, { method: 'PATCH', body });
    },
    { said: (saved) => `The plan ${saved.name} is ${plan === null ? 'created' : 'changed'}.`, onDone: onClose },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {plan !== null && (
          <Text size="sm" c="dimmed">
            Changes hold for every account on this plan, from its next request on.
          </Text>
        )}
        <NameField value={name} onChange={setName} />
        <WholeNumber
          label="Messages per minute"
          description="Number checks count too. What is above it is refused, and the caller is told when to try again."
          value={perMinute}
          onChange={setPerMinute}
          min={1}
          max={1_000_000}
          required
        />
        <WholeNumber
          label="Numbers"
          description="How many numbers an account may have, unless it has a limit of its own."
          value={numbers}
          onChange={setNumbers}
          min={0}
          max={1_000_000}
          required
        />
        <Switch
          label="Trial"
          description="After a fixed count of messages in total, the account needs another plan."
          checked={trial}
          onChange={(event) => setTrial(event.currentTarget.checked)}
        />
        {trial && (
          <WholeNumber
            label="Trial messages"
            description="In total, not per day or month. Every kind of message counts, number checks do not."
            value={messages}
            onChange={setMessages}
            min={1}
            max={1_000_000_000}
            required
          />
        )}
        <DialogEnd change={save} onCancel={onClose}>
          {plan === null ? 'Create plan' : 'Save'}
        </DialogEnd>
      </Stack>
    </form>
  );
}
