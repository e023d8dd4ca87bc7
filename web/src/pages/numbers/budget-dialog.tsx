import { SimpleGrid, Switch, Text } from '@mantine/core';
import type { NumberDetail } from '../../../../src/portal/wire/operator.ts';
import { call } from '../../api/client.ts';
import { locale, t } from '../../language/language.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { useChange } from '../../parts/use-change.ts';
import { useSentForm } from '../../parts/use-sent-form.ts';
import { numberMistake, WholeNumber } from '../../parts/whole-number.tsx';
import { useAccountId } from '../../session/session.ts';

interface BudgetDialogProps {
  readonly opened: boolean;
  readonly number: Pick<NumberDetail, 'instance_id' | 'chat_budget'>;
  onClose(): void;
}

/** Limits how many new chats a number begins on a day. */
export function BudgetDialog({ opened, ...form }: BudgetDialogProps) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={t('Budget of new chats')}>
      <BudgetForm {...form} />
    </Dialog>
  );
}

interface BudgetFields {
  readonly limited: boolean;
  readonly per_day: number | null;
  readonly warmed: boolean;
  readonly start: number | null;
  readonly growth_percent: number | null;
}

function BudgetForm({ number: { instance_id, chat_budget }, onClose }: Omit<BudgetDialogProps, 'opened'>) {
  const account = useAccountId();
  const set = (body: Pick<NumberDetail, 'chat_budget'>) =>
    call('PATCH /portal/api/numbers/:id', { params: { id: instance_id }, body, account });
  const save = useChange(set, {
    back: () => () => set({ chat_budget }),
    said: () => t('The budget of new chats has been changed.'),
    onDone: onClose,
  });
  const warmUp = chat_budget?.warm_up ?? null;
  const { form, submit, failed } = useSentForm<BudgetFields, Pick<NumberDetail, 'chat_budget'>>(save, {
    initialValues: {
      limited: chat_budget !== null,
      per_day: chat_budget?.per_day ?? 50,
      warmed: warmUp !== null,
      start: warmUp?.start ?? 10,
      growth_percent: warmUp?.growth_percent ?? 20,
    },
    validate: {
      per_day: (per_day, { limited }) => (limited ? numberMistake(per_day) : null),
      start: (start, { limited, warmed, per_day }) => {
        if (!limited || !warmed) return null;
        const tooMany = start !== null && per_day !== null && start > per_day;
        return tooMany ? t('It must be no more than the budget per day.') : numberMistake(start);
      },
      growth_percent: (growth, { limited, warmed }) => (limited && warmed ? numberMistake(growth) : null),
    },
    // What is missing was refused before.
    transformValues: ({ limited, per_day, warmed, start, growth_percent }) => ({
      chat_budget:
        limited && per_day !== null
          ? { per_day, warm_up: warmed && start !== null && growth_percent !== null ? { start, growth_percent } : null }
          : null,
    }),
  });
  const { limited, warmed } = form.values;
  return (
    <DialogForm onSubmit={submit} change={failed} confirm={t('Save')} onCancel={onClose}>
      <Text size="sm">
        {t(
          'WhatsApp restricts numbers that start many chats with strangers. Beyond the budget, sends to new chats are refused until the day ends (UTC). Known chats still work.',
        )}
      </Text>
      <Switch label={t('Limit new chats')} {...form.getInputProps('limited', { type: 'checkbox' })} />
      {limited && (
        <>
          <WholeNumber label={t('New chats per day')} required min={1} max={10_000} {...form.getInputProps('per_day')} />
          <Switch
            label={t('Warm up')}
            description={t('A newly linked number starts with fewer, and may start more each day.')}
            {...form.getInputProps('warmed', { type: 'checkbox' })}
          />
          {warmed && (
            <SimpleGrid cols={2}>
              <WholeNumber label={t('On the first day')} required min={1} max={10_000} {...form.getInputProps('start')} />
              <WholeNumber
                label={t('More each day')}
                suffix={new Intl.NumberFormat(locale(), { style: 'percent' }).format(0).slice(1)}
                required
                min={1}
                max={1000}
                {...form.getInputProps('growth_percent')}
              />
            </SimpleGrid>
          )}
        </>
      )}
    </DialogForm>
  );
}
