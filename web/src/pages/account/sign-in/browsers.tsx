import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SignedInBrowser } from '../../../../../src/portal/wire/index.ts';
import { call } from '../../../api/client.ts';
import { Answered } from '../../../parts/answered.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { shownMoment } from '../../../parts/shown-moment.ts';
import { browserName } from './browser-name.ts';
import classes from './browsers.module.css';
import { browsersQuery } from './browsers-query.ts';
import { Card } from './card.tsx';

/** Where the person is signed in, and signing out there. */
export function Browsers() {
  const browsers = useQuery(browsersQuery);
  return (
    <Card title="Signed-in browsers" text="If you do not know one of these, sign it out and change your password.">
      <Answered query={browsers} loading={<Loading />}>
        {(known) => <BrowserList browsers={known} />}
      </Answered>
    </Card>
  );
}

function BrowserList({ browsers }: { readonly browsers: readonly SignedInBrowser[] }) {
  const [asking, { open, close }] = useDisclosure(false);
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: ({ session_id }: SignedInBrowser) => call(`/portal/api/browsers/${encodeURIComponent(session_id)}`, { method: 'DELETE' }),
    async onSuccess(_, browser) {
      await queryClient.invalidateQueries(browsersQuery);
      notifications.show({ message: `${browserName(browser.user_agent)} is signed out.` });
    },
  });
  const endOthers = useMutation({
    mutationFn: () => call<{ readonly ended: number }>('/portal/api/browsers/others', { method: 'DELETE' }),
    async onSuccess({ ended }) {
      await queryClient.invalidateQueries(browsersQuery);
      notifications.show({ message: ended === 1 ? 'One browser is signed out.' : `${ended} browsers are signed out.` });
      close();
    },
  });
  // The one in hand comes first.
  const sorted = browsers.toSorted((a, b) => Number(b.current) - Number(a.current));
  return (
    <Stack gap="sm">
      <FailureAlert error={end.error} />
      <ul className={classes.list} aria-label="Signed-in browsers">
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
            Sign out all others
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={asking}
        title="Sign out all other browsers?"
        confirm="Sign out all others"
        change={endOthers}
        onConfirm={() => endOthers.mutate()}
        onClose={close}
      >
        <Text size="sm">Everywhere but here you will have to sign in again. API keys keep working.</Text>
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
              This browser
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {ip_address !== null && `From ${ip_address} · `}signed in {shownMoment(created_at)}
          {!current && ` · last seen ${shownMoment(last_seen_at)}`}
        </Text>
      </div>
      {!current && (
        <Button
          variant="default"
          size="xs"
          onClick={onEnd}
          loading={busy}
          aria-label={`Sign out ${name}, signed in ${shownMoment(created_at)}`}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

function Loading() {
  return (
    <Stack gap="xs" role="status" aria-label="Loading the browsers">
      <Skeleton h={44} radius="md" />
      <Skeleton h={44} radius="md" />
    </Stack>
  );
}
