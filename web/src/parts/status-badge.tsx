import { Badge } from '@mantine/core';
import type { Standing } from '../../../src/portal/wire/operator.ts';
import { t } from '../language/language.ts';
import { type Stood, standingOf } from './number-words.ts';

const looks = {
  open: { color: 'teal', text: t('Connected') },
  connecting: { color: 'yellow', text: t('Connecting') },
  close: { color: 'gray', text: t('Not connected') },
} as const;

type Status = keyof typeof looks;

/** The states of a number in the order in which they are listed. */
export const statuses: readonly Status[] = ['open', 'connecting', 'close'];

/** What a state is called. */
export function statusText(status: Status): string {
  return looks[status].text;
}

/** The colour of its part of a bar. The theme's grey is nearly black there. */
export function statusColor(status: Status): string {
  return status === 'close' ? 'gray.6' : looks[status].color;
}

/** A state of numbers, told by word and colour. */
export function StatusBadge({ status }: { readonly status: Status }) {
  const { color, text } = looks[status];
  return (
    <Badge color={color} variant="light" autoContrast data-status={status}>
      {text}
    </Badge>
  );
}

const standings = {
  connected: { color: 'teal', text: t('Connected') },
  reconnecting: { color: 'yellow', text: t('Connecting') },
  pairing: { color: 'blue', text: t('Waiting for a scan') },
  never_linked: { color: 'gray', text: t('Never linked') },
  needs_person: { color: 'red', text: t('Needs a person') },
} as const satisfies Readonly<Record<Standing, object>>;

/** What a standing is called. */
export function standingText(standing: Standing): string {
  return standings[standing].text;
}

/** How one number is, told by word and colour. */
export function StandingBadge({ number }: { readonly number: Stood }) {
  const { color, text } = standings[standingOf(number)];
  return (
    <Badge color={color} variant="light" autoContrast data-status={number.status}>
      {text}
    </Badge>
  );
}
