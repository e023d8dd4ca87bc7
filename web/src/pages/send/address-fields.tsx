import { Anchor, Select, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Instance } from '../../api/contract.ts';
import { Trans, t } from '../../language/language.ts';
import { nameOf, networkName } from '../../parts/number-words.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { useProblem } from './form/problems.tsx';

const toNumbers = <Anchor renderRoot={(props) => <Link to="/numbers" {...props} />} inherit c="inherit" underline="always" />;

interface NumberFieldProps {
  readonly numbers: readonly Instance[];
  /** null while none is chosen. */
  readonly chosen: string | null;
  onChoose(instanceId: string): void;
}

/** The number to send from; only connected ones can be chosen. */
export function NumberField({ numbers, chosen, onChoose }: NumberFieldProps) {
  const { problem, changed } = useProblem('instance_id');
  const number = numbers.find(({ instance_id }) => instance_id === chosen);
  const unconnected = number !== undefined && !number.connected;
  return (
    <Select
      label={t('From')}
      description={number === undefined ? null : aboutNumber(number)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={t('Choose a number')}
      comboboxProps={{ withinPortal: false }}
      required
      data={numbers.map((one) => ({ value: one.instance_id, label: nameOf(one), disabled: !one.connected }))}
      renderOption={({ option }) => <Option number={numbers.find((one) => one.instance_id === option.value)} />}
      value={chosen}
      allowDeselect={false}
      onChange={(id) => {
        if (id === null) return;
        changed();
        onChoose(id);
      }}
      error={
        unconnected ? (
          <Trans i18nKey="This number is not connected. <a>Link it first</a>, or choose another." components={{ a: toNumbers }} />
        ) : (
          problem
        )
      }
    />
  );
}

function Option({ number }: { readonly number: Instance | undefined }) {
  if (number === undefined) return null;
  return (
    <div>
      <Text size="sm">{nameOf(number)}</Text>
      <Text size="xs" c="dimmed">
        {aboutNumber(number)}
      </Text>
    </div>
  );
}

function aboutNumber(number: Instance): string {
  const digits = shownNumber(number.phone_number);
  const about = [digits === nameOf(number) ? null : digits, networkName(number.network), number.connected ? null : t('not connected')];
  return about.filter((part) => part !== null).join(' · ');
}

interface RecipientFieldProps {
  readonly to: string;
  /** Messages of a sandbox number reach nobody. */
  readonly sandbox: boolean;
  onChange(to: string): void;
}

/** Who receives it. */
export function RecipientField({ to, sandbox, onChange }: RecipientFieldProps) {
  const { problem, changed } = useProblem('to');
  return (
    <TextInput
      label={t('To')}
      description={sandbox ? t('Any number will do: the sandbox reaches no real phone.') : t("The recipient's number with country code.")}
      placeholder="+1 555 0123"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required
      inputMode="tel"
      autoComplete="off"
      value={to}
      error={problem}
      onChange={(event) => {
        changed();
        onChange(event.currentTarget.value);
      }}
    />
  );
}

/** Shown where no number can send yet. */
export function NoNumberText() {
  return (
    <Text size="sm">
      <Trans
        i18nKey="None of your numbers is connected, so nothing can be sent. <a>Link a number</a> first. You can fill in the form in the meantime."
        components={{ a: toNumbers }}
      />
    </Text>
  );
}
