import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDeviceMobileMessage, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { t } from '../../language/language.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RefreshFailed } from '../../parts/refresh-failed.tsx';
import { useAccountId, useSession } from '../../session/session.ts';
import { ContactList } from './contact-list.tsx';
import { NumberMeanings } from './number-meanings.tsx';
import { Phone } from './phone.tsx';
import { PhonesPanel } from './phones/phones-panel.tsx';
import { contactsQuery } from './queries.ts';
import classes from './sandbox-phone.module.css';

/** The simulated phones of the sandbox's contacts, with the messages they received. */
export default function SandboxPhonePage() {
  const { networks } = useSession();
  if (!networks.includes('sandbox')) {
    return (
      <>
        <PageHeader title={t('Sandbox phone')} />
        <EmptyState
          icon={<IconDeviceMobileMessage size={28} />}
          title={t('The sandbox is switched off')}
          text={t('This gateway runs without its sandbox network, so there is no simulated phone to look at.')}
        />
      </>
    );
  }
  return <Phones />;
}

function Phones() {
  const { with: chosen } = useSearch({ from: '/signed-in/of-account/sandbox-phone' });
  const query = useQuery(contactsQuery(useAccountId()));
  const { data: contacts, error } = query;
  const open = chosen === undefined ? null : String(chosen);
  useNewestOpen(open, contacts?.[0]?.number);
  const nothing = contacts !== undefined && contacts.length === 0 && open === null;
  return (
    <>
      <PageHeader
        title={t('Sandbox phone')}
        text={
          <Text component="span" inherit {...(open === null ? {} : { visibleFrom: 'sm' })}>
            {t('What people receive when you send from a sandbox number. Nothing here reaches a real phone.')}
          </Text>
        }
      />
      <RefreshFailed query={query} />
      <div className={classes.page} data-view={open === null ? 'list' : 'chat'}>
        {contacts === undefined && error !== null && (
          <div className={classes.whole}>
            <FailureAlert error={error} title={t('The contacts could not be loaded')} />
          </div>
        )}
        {contacts === undefined && error === null && <Loading />}
        {nothing && (
          <div className={classes.whole}>
            <NothingYet />
          </div>
        )}
        {contacts !== undefined && !nothing && (
          <>
            <ContactList contacts={contacts} open={open} />
            <div className={classes.phone}>{open !== null && <Phone contact={open} />}</div>
          </>
        )}
        <Stack className={classes.side} gap="md">
          <PhonesPanel />
          <NumberMeanings />
        </Stack>
      </div>
    </>
  );
}

/** Where list and chat are side by side, the newest chat opens at once. */
function useNewestOpen(open: string | null, newest: string | undefined): void {
  const navigate = useNavigate({ from: '/sandbox-phone' });
  const wide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const missing = wide === true && open === null && newest !== undefined;
  useEffect(() => {
    if (missing) void navigate({ search: { with: Number(newest) }, replace: true });
  }, [missing, newest, navigate]);
}

function NothingYet() {
  return (
    <EmptyState
      icon={<IconDeviceMobileMessage size={28} />}
      title={t('Nobody has received anything yet')}
      text={t(
        'Send a message from a sandbox number to any phone number, such as +15550123. It appears here at once, as its recipient would see it.',
      )}
    >
      <Group mt="sm">
        <Button component={Link} to="/send" leftSection={<IconSend size={18} aria-hidden />}>
          {t('Send a message')}
        </Button>
      </Group>
    </EmptyState>
  );
}

function Loading() {
  return (
    <>
      <Stack gap="xs" role="status" aria-label={t('Loading the contacts')} className={classes.contacts}>
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} h={64} radius="md" />
        ))}
      </Stack>
      <div className={classes.phone}>
        <Skeleton className={classes.phoneLoading} radius={36} />
      </div>
    </>
  );
}
