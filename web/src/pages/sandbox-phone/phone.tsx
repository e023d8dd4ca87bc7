import { ActionIcon, Skeleton, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { SandboxChatMessage } from '../../../../src/portal/wire/sandbox.ts';
import { t } from '../../language/language.ts';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { shownNumber } from '../../parts/phone-number.ts';
import { RefreshFailed } from '../../parts/refresh-failed.tsx';
import { useAccountId } from '../../session/session.ts';
import { Chat } from './chat.tsx';
import classes from './phone.module.css';
import { PhoneScreenProvider } from './phone-screen.ts';
import { chatQuery } from './queries.ts';
import { useNumberNames } from './use-number-names.ts';

/** The phone of one contact (digits), with the messenger open at the chat with the account's numbers. */
export function Phone({ contact }: { readonly contact: string }) {
  const chat = useQuery(chatQuery(useAccountId(), contact));
  const { data: messages, error } = chat;
  const nameOf = useNumberNames();
  return (
    <Device contact={contact} subtitle={messages === undefined ? '' : sendersOf(messages, nameOf)}>
      <RefreshFailed query={chat} />
      {error !== null && messages === undefined ? (
        <div className={classes.middle}>
          <FailureAlert error={error} />
        </div>
      ) : messages === undefined ? (
        <Loading />
      ) : messages.length === 0 ? (
        <div className={classes.middle}>
          <Text size="sm" ta="center" className={classes.note}>
            {t('Nothing has arrived here yet. Messages are kept for 7 days.')}
          </Text>
        </div>
      ) : (
        <Chat key={contact} contact={contact} messages={messages} nameOf={nameOf} />
      )}
    </Device>
  );
}

function Device({ contact, subtitle, children }: { readonly contact: string; readonly subtitle: string; readonly children: ReactNode }) {
  const [screen, setScreen] = useState<HTMLDivElement | null>(null);
  const name = t('Phone of {{number}}', { number: shownNumber(contact) });
  return (
    <section className={classes.device} aria-label={name}>
      <div className={classes.screen} ref={setScreen}>
        <PhoneScreenProvider value={screen}>
          <div className={classes.head}>
            <ActionIcon
              component={Link}
              to="/sandbox-phone"
              variant="transparent"
              size="lg"
              className={classes.back}
              hiddenFrom="sm"
              aria-label={t('Back to the contacts')}
            >
              <IconArrowLeft size={22} aria-hidden />
            </ActionIcon>
            <IconDeviceMobile size={26} aria-hidden className={classes.headIcon} />
            <div className={classes.headWords}>
              <Title order={2} size="sm">
                {name}
              </Title>
              <Text size="xs" truncate>
                {subtitle}
              </Text>
            </div>
          </div>
          {children}
          <Text size="xs" className={classes.foot}>
            {t('This phone only receives.')}
          </Text>
        </PhoneScreenProvider>
      </div>
    </section>
  );
}

function Loading() {
  return (
    <div className={classes.wall} role="status" aria-label={t('Loading the chat')}>
      <div className={classes.lines}>
        {[62, 44, 120, 44].map((height, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed pattern.
          <Skeleton key={index} h={height} w={index % 2 === 0 ? '70%' : '50%'} radius="md" />
        ))}
      </div>
    </div>
  );
}

function sendersOf(messages: readonly SandboxChatMessage[], nameOf: (number: string) => string): string {
  const [first, ...others] = new Set(messages.map(({ from }) => from));
  if (first === undefined) return '';
  return others.length === 0
    ? t('Chat with {{number}}', { number: nameOf(first) })
    : t('Chats with {{count}} of your numbers', { count: others.length + 1, defaultValue_one: 'Chat with {{count}} of your numbers' });
}
