import { Checkbox, Group, Radio, Select, Stack, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import type { AlertCondition, AlertTargetView, MessageEventName } from '../../../../src/portal/wire/alerts.ts';
import { t } from '../../language/language.ts';
import { DialogForm } from '../dialog-form.tsx';
import { useSentForm } from '../use-sent-form.ts';
import { targetChange } from './target-change.ts';
import { conditionsOf, conditionWords, eventNames, eventWords } from './words.ts';

/** The fields of the form, named as in the request. */
export interface TargetFields {
  readonly kind: 'webhook' | 'mail';
  readonly address: string;
  /** null: everything on the gateway. */
  readonly provider_id: string | null;
  readonly conditions: AlertCondition[];
  /** Of webhooks alone. */
  readonly events: MessageEventName[];
  /** Whether there are quiet hours; the other three count only then. */
  readonly quiet: boolean;
  readonly quiet_from: string;
  readonly quiet_to: string;
  readonly time_zone: string;
}

/** Where the target is told of: chosen by who administers providers, else it is the account. */
export interface TargetPlace {
  readonly provider_id: string | null;
  field(form: UseFormReturnType<TargetFields, object>): ReactNode;
}

interface TargetFormProps {
  /** null: a new one. */
  readonly target: AlertTargetView | null;
  readonly place?: TargetPlace | undefined;
  readonly save: { readonly error: unknown; readonly isPending: boolean; mutate(fields: object): void };
  onClose(): void;
}

/** Made when the form is opened: every page that loads this file would take the time otherwise. */
const everyZone = () => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** Says where to tell, of what, and when not. */
export function TargetForm({ target: shown, place, save, onClose }: TargetFormProps) {
  // As it was when the dialog opened: what others change meanwhile is no change made here.
  const [target] = useState(shown);
  const [zones] = useState(everyZone);
  const everywhere = (providerId: string | null) => conditionsOf({ installation: place !== undefined && providerId === null });
  const { form, submit, failed } = useSentForm<TargetFields, object>(save, {
    initialValues: {
      kind: target?.kind ?? 'webhook',
      address: target?.address ?? '',
      provider_id: target === null ? (place?.provider_id ?? null) : target.provider_id,
      conditions: [...(target?.conditions ?? everywhere(place?.provider_id ?? null))],
      events: [...(target?.events ?? [])],
      quiet: target?.quiet_from != null,
      quiet_from: target?.quiet_from ?? '22:00',
      quiet_to: target?.quiet_to ?? '07:00',
      time_zone: target?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    validate: {
      address: (address, { kind }) =>
        address.trim() !== '' ? null : kind === 'webhook' ? t('Enter the address that takes the posts.') : t('Enter an e-mail address.'),
      conditions: (chosen, { kind, events }) =>
        chosen.length > 0 || (kind === 'webhook' && events.length > 0) ? null : t('Choose at least one.'),
    },
    transformValues({ kind, address, provider_id, conditions, events, quiet, quiet_from, quiet_to, time_zone }) {
      const settings = {
        address: address.trim(),
        // Those that are not offered are not sent.
        conditions: conditions.filter((name) => everywhere(provider_id).includes(name)),
        events: kind === 'webhook' ? events : [],
        ...(quiet ? { quiet_from, quiet_to, time_zone } : { quiet_from: null, quiet_to: null, time_zone: null }),
      };
      if (target !== null) return targetChange(settings, target);
      return { ...settings, kind, ...(provider_id === null ? {} : { provider_id }) };
    },
  });
  const { kind, provider_id, quiet } = form.values;
  return (
    <DialogForm onSubmit={submit} change={failed} confirm={target === null ? t('Add') : t('Save')} onCancel={onClose}>
      {target === null && (
        <>
          <Radio.Group label={t('Tell by')} {...form.getInputProps('kind')}>
            <Group mt={6}>
              <Radio value="webhook" label={t('Webhook')} />
              <Radio value="mail" label={t('E-mail')} />
            </Group>
          </Radio.Group>
          {place?.field(form)}
        </>
      )}
      <TextInput
        {...(kind === 'webhook'
          ? { type: 'url', label: t('Address'), description: t('Signed posts go here, according to the Standard Webhooks specification.') }
          : { type: 'email', label: t('E-mail address') })}
        maxLength={2048}
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('address')}
      />
      <Checkbox.Group label={t('Tell when')} {...form.getInputProps('conditions')}>
        <Stack gap="xs" mt={6}>
          {everywhere(provider_id).map((name) => (
            <Checkbox key={name} value={name} label={conditionWords[name].name} description={conditionWords[name].text} />
          ))}
        </Stack>
      </Checkbox.Group>
      {kind === 'webhook' && (
        <Checkbox.Group
          label={t('Report the outcome of messages')}
          description={t('Within seconds, even in quiet hours, and without content or recipient.')}
          {...form.getInputProps('events')}
        >
          <Stack gap="xs" mt={6}>
            {eventNames.map((name) => (
              <Checkbox key={name} value={name} label={eventWords[name].name} description={eventWords[name].text} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <Switch
        label={t('Quiet hours')}
        description={t(
          'No new alerts are sent between these times, but one that is being retried goes on. Problems that remain at the end are reported then.',
        )}
        {...form.getInputProps('quiet', { type: 'checkbox' })}
      />
      {quiet && (
        <Group grow preventGrowOverflow={false} align="flex-start">
          <TextInput type="time" label={t('From')} required {...form.getInputProps('quiet_from')} />
          <TextInput type="time" label={t('To')} required {...form.getInputProps('quiet_to')} />
          <Select
            label={t('Time zone')}
            data={zones}
            searchable
            allowDeselect={false}
            required
            limit={100}
            miw={200}
            {...form.getInputProps('time_zone')}
          />
        </Group>
      )}
    </DialogForm>
  );
}
