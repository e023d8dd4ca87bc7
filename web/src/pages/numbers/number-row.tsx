import { Anchor, Button, Text, ThemeIcon } from '@mantine/core';
import { IconBrandWhatsapp, IconFlask, IconSend } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Instance } from '../../api/contract.ts';
import { t } from '../../language/language.ts';
import { Moment } from '../../parts/moment.tsx';
import { nameOf, networkName, newChatsText, restrictionText } from '../../parts/number-words.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { StandingBadge } from '../../parts/status-badge.tsx';
import { NumberMenu } from './number-menu.tsx';
import classes from './numbers.module.css';
import type { Question } from './use-number-dialogs.ts';

interface NumberRowProps {
  readonly number: Instance;
  /** Nothing can be done with it. */
  readonly readOnly: boolean;
  onLink(id: string): void;
  onAsk(question: Question, number: Instance): void;
}

/** A number with its name, its state and its most likely action. */
export function NumberRow({ number, readOnly, onLink, onAsk }: NumberRowProps) {
  const { instance_id, label, phone_number, network, created_at } = number;
  const restriction = restrictionText(number);
  const newChats = newChatsText(number);
  return (
    <li className={classes.row} aria-label={nameOf(number)}>
      <ThemeIcon
        size={40}
        radius="xl"
        variant="light"
        color={network === 'sandbox' ? 'grape' : 'teal'}
        className={classes.icon}
        aria-hidden
      >
        {network === 'sandbox' ? <IconFlask size={22} /> : <IconBrandWhatsapp size={22} />}
      </ThemeIcon>
      <div className={classes.who}>
        <Text fw={600} truncate title={nameOf(number)}>
          <Anchor
            inherit
            c="var(--mantine-color-text)"
            renderRoot={(props) => <Link to="/numbers/$instanceId" params={{ instanceId: instance_id }} {...props} />}
          >
            {nameOf(number)}
          </Anchor>
        </Text>
        <Text size="sm" c="dimmed">
          {networkName(network)}
          {label !== null && phone_number !== null && <> · {shownNumber(phone_number)}</>}
        </Text>
        {newChats !== null && (
          <Text size="xs" c="dimmed">
            {newChats}
          </Text>
        )}
      </div>
      <div className={classes.state}>
        <StandingBadge number={number} />
        <Moment at={created_at} day size="xs" c="dimmed" />
      </div>
      {!readOnly && (
        <>
          <div className={classes.action}>
            <MainAction number={number} onLink={onLink} />
          </div>
          <div className={classes.menu}>
            <NumberMenu number={number} onLink={() => onLink(instance_id)} onAsk={onAsk} />
          </div>
        </>
      )}
      {restriction !== null && (
        <Text size="sm" className={classes.restriction}>
          {restriction}
        </Text>
      )}
    </li>
  );
}

/** What is most likely done with a number. */
export function MainAction({ number, onLink }: Pick<NumberRowProps, 'number' | 'onLink'>) {
  const { instance_id, status, phone_number } = number;
  if (status === 'open') {
    return (
      <Button
        renderRoot={(props) => <Link to="/send" search={{ instance_id }} {...props} />}
        variant="default"
        leftSection={<IconSend size={16} aria-hidden />}
        aria-label={t('Send from {{number}}', { number: nameOf(number) })}
        className={classes.main}
      >
        {t('Send')}
      </Button>
    );
  }
  // A number that was linked before and is connecting comes back by itself most of the time.
  if (status === 'connecting' && phone_number !== null) return null;
  const words = status === 'connecting' ? t('Show code') : t('Link', { context: 'verb' });
  return (
    <Button variant="light" onClick={() => onLink(instance_id)} aria-label={`${words}: ${nameOf(number)}`} className={classes.main}>
      {words}
    </Button>
  );
}
