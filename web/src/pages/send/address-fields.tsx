import { Anchor, Select, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Instance } from '../../api/queries.ts';
import { nameOf, networkName } from '../../parts/number-words.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { useProblem } from './form/problems.tsx';

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
      label="From"
      description={number === undefined ? null : aboutNumber(number)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder="Choose a number"
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
          <>
            This number is not connected.{' '}
            <Anchor renderRoot={(props) => <Link to="/numbers" {...props} />} inherit c="inherit" underline="always">
              Link it first
            </Anchor>
            , or choose another.
          </>
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
  const about = [digits === nameOf(number) ? null : digits, networkName(number.network), number.connected ? null : 'not connected'];
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
      label="To"
      description={sandbox ? 'Any number will do: the sandbox reaches no real phone.' : 'The recipient’s number with country code.'}
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
      None of your numbers is connected, so nothing can be sent.{' '}
      <Anchor renderRoot={(props) => <Link to="/numbers" {...props} />} inherit c="inherit" underline="always">
        Link a number
      </Anchor>{' '}
      first. You can fill in the form in the meantime.
    </Text>
  );
}
