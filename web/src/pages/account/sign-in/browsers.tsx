import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SignedInBrowser } from '../../../../../src/portal/wire/session.ts';
import { call } from '../../../api/client.ts';
import { Trans, t } from '../../../language/language.ts';
import { Answered } from '../../../parts/answered.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { ListLoading } from '../../../parts/list-parts.tsx';
import { shownMoment } from '../../../parts/shown-moment.ts';
import { Ago } from '../../../parts/time/ago.tsx';
import { browserName } from './browser-name.ts';
import classes from './browsers.module.css';
import { browsersQuery } from './browsers-query.ts';
import { Card } from './card.tsx';

export function Browsers() {
  const browsers = useQuery(browsersQuery);
  return (
    <Card title={t('Signed-in browsers')} text={t('If you do not recognise one of these, sign it out and change your password.')}>
      <Answered query={browsers} loading={<ListLoading label={t('Loading the browsers')} rows={2} height={44} />}>
        {(known) => <BrowserList browsers={known} />}
      </Answered>
    </Card>
  );
}

function BrowserList({ browsers }: { readonly browsers: readonly SignedInBrowser[] }) {
  const [asking, { open, close }] = useDisclosure(false);
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: ({ session_id }: SignedInBrowser) => call('DELETE /portal/api/browsers/:id', { params: { id: session_id } }),
    async onSuccess(_, browser) {
      await queryClient.invalidateQueries(browsersQuery);
      notifications.show({ message: t('{{userAgent}} has been signed out.', { userAgent: browserName(browser.user_agent) }) });
    },
  });
  const endOthers = useMutation({
    mutationFn: () => call('DELETE /portal/api/browsers/others'),
    async onSuccess({ ended }) {
      await queryClient.invalidateQueries(browsersQuery);
      notifications.show({
        message: t('{{count}} browsers have been signed out.', { count: ended, defaultValue_one: 'One browser has been signed out.' }),
      });
      close();
    },
  });
  // The one in hand comes first.
  const sorted = browsers.toSorted((a, b) => Number(b.current) - Number(a.current));
  return (
    <Stack gap="sm">
      <FailureAlert error={end.error} />
      <ul className={classes.list} aria-label={t('Signed-in browsers')}>
        {sorted.map((browser) => (
          <Browser
            key={browser.session_id}
            browser={browser}
            busy={end.isPending && end.variables.session_id === browser.session_id}
            onEnd={() => end.mutate(browser)}
          />
        ))}
      </ul>
      {browsers.length > 1 && (
        <Group>
          <Button variant="default" onClick={open}>
            {t('Sign out all others')}
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={asking}
        title={t('Sign out all other browsers?')}
        confirm={t('Sign out all others')}
        change={endOthers}
        onConfirm={() => endOthers.mutate()}
        onClose={close}
      >
        <Text size="sm">{t('You will have to sign in again everywhere except here. API keys keep working.')}</Text>
      </ConfirmDialog>
    </Stack>
  );
}

interface BrowserProps {
  readonly browser: SignedInBrowser;
  readonly busy: boolean;
  onEnd(): void;
}

function Browser({ browser: { user_agent, ip_address, created_at, last_seen_at, current }, busy, onEnd }: BrowserProps) {
  const name = browserName(user_agent);
  const Icon = /Mobi|iPhone|Android/.test(user_agent ?? '') ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={classes.browser}>
      <Icon size={24} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <Group gap={6}>
          <Text size="sm" fw={600} title={user_agent ?? undefined}>
            {name}
          </Text>
          {current && (
            <Badge size="sm" variant="light" color="teal" autoContrast>
              {t('This browser')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {[
            ...(ip_address === null ? [] : [t('From {{address}}', { address: ip_address })]),
            t('signed in {{when}}', { when: shownMoment(created_at) }),
          ].join(' · ')}
          {!current && (
            <>
              {' · '}
              <Trans i18nKey="last seen <when/>" components={{ when: <Ago at={last_seen_at} /> }} />
            </>
          )}
        </Text>
      </div>
      {!current && (
        <Button
          variant="default"
          size="xs"
          onClick={onEnd}
          loading={busy}
          aria-label={t('Sign out {{name}}, signed in {{when}}', { name, when: shownMoment(created_at) })}
        >
          {t('Sign out')}
        </Button>
      )}
    </li>
  );
}
