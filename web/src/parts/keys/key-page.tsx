import { Badge, Button, Paper, Stack } from '@mantine/core';
import { IconKey, IconKeyOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ActorView, KeyDetail } from '../../../../src/portal/wire/account.ts';
import { t } from '../../language/language.ts';
import { actorText } from '../audit/sentence.ts';
import { Facts } from '../facts.tsx';
import { ListLoading } from '../list-parts.tsx';
import { Moment } from '../moment.tsx';
import { ObjectPage } from '../object-page.tsx';
import { ShownId } from '../shown-id.tsx';
import { Ago } from '../time/ago.tsx';
import { useQuestion } from '../use-question.ts';
import { keyName, keyQuery } from './keys.ts';
import { RevokeDialog } from './revoke-dialog.tsx';

interface KeyDetailProps {
  readonly back: ReactNode;
  readonly accountId: string;
  readonly keyId: string;
  /** What stands below the facts of a key that is there. */
  readonly children?: ReactNode;
}

/** The page of one API key: who made it, whether it is used, and its end. */
export function KeyPage({ back, accountId, keyId, children }: KeyDetailProps) {
  return (
    <ObjectPage
      back={back}
      query={useQuery(keyQuery(accountId, keyId))}
      title={t('API key')}
      titleOf={keyName}
      textOf={({ revoked_at }) => (
        <Badge component="span" color={revoked_at === null ? 'teal' : 'gray'} variant="light" autoContrast>
          {revoked_at === null ? t('In use') : t('Revoked')}
        </Badge>
      )}
      actions={(key) => <Revoke accountId={accountId} apiKey={key} />}
      missing={{ icon: <IconKeyOff size={28} />, title: t('No such key'), text: t('This account has no key with this ID.') }}
      loading={<ListLoading label={t('Loading the key')} rows={3} />}
    >
      {(key) => (
        <Stack gap="xl">
          <About apiKey={key} />
          {children}
        </Stack>
      )}
    </ObjectPage>
  );
}

function Revoke({ accountId, apiKey }: { readonly accountId: string; readonly apiKey: KeyDetail }) {
  const revoking = useQuestion<true>();
  return (
    <>
      {apiKey.revoked_at === null && (
        <Button variant="default" leftSection={<IconKey size={18} aria-hidden />} onClick={() => revoking.ask(true)}>
          {t('Revoke key')}
        </Button>
      )}
      <RevokeDialog opened={revoking.opened} accountId={accountId} apiKey={apiKey} onClose={revoking.close} />
    </>
  );
}

function About({ apiKey }: { readonly apiKey: KeyDetail }) {
  const { key_id, label, prefix, created_at, last_used_at, revoked_at, created_by, revoked_by } = apiKey;
  return (
    <Paper withBorder radius="lg" px="md" py="xs" maw={900} component="section" aria-label={t('About the key')}>
      <Facts
        facts={[
          [t('Name'), label ?? t('No name')],
          [t('Begins with'), <ShownId key="prefix" id={prefix} label={t('beginning of the key')} />],
          [t('Last used'), <Ago key="used" at={last_used_at} none={t('Never')} size="sm" />],
          [t('Created'), <Moment key="created" at={created_at} size="sm" />],
          [t('Created by'), who(created_by)],
          ...(revoked_at === null
            ? []
            : [
                [t('Revoked', { context: 'when' }), <Moment key="revoked" at={revoked_at} size="sm" />] as const,
                [t('Revoked by'), who(revoked_by)] as const,
              ]),
          [t('Key ID'), <ShownId key="id" id={key_id} label={t('key ID')} />],
        ]}
      />
    </Paper>
  );
}

function who(actor: ActorView | null): string {
  return actor === null ? t('No longer known') : actorText(actor);
}
