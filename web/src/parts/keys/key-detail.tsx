import { Badge, Button, Paper, Stack } from '@mantine/core';
import { IconKey, IconKeyOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ActorView, KeyDetail } from '../../../../src/portal/wire/index.ts';
import { isMissing } from '../../api/is-missing.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../answered.tsx';
import { actorText } from '../audit/sentence.ts';
import { EmptyState } from '../empty-state.tsx';
import { Facts } from '../facts.tsx';
import { ListLoading } from '../list-parts.tsx';
import { Moment } from '../moment.tsx';
import { PageHeader } from '../page-header.tsx';
import { ShownId } from '../shown-id.tsx';
import { Ago } from '../time/ago.tsx';
import { useQuestion } from '../use-question.ts';
import { keyName, keyQuery } from './keys.ts';
import { RevokeDialog } from './revoke-dialog.tsx';

interface KeyDetailProps {
  readonly accountId: string;
  readonly keyId: string;
  /** What stands below the facts of a key that is there. */
  readonly children?: ReactNode;
}

/** One API key: who made it, whether it is used, and its end. */
export function KeyOverview({ accountId, keyId, children }: KeyDetailProps) {
  const key = useQuery(keyQuery(accountId, keyId));
  if (isMissing(key.error)) {
    return (
      <>
        <PageHeader title={t('API key')} />
        <EmptyState icon={<IconKeyOff size={28} />} title={t('No such key')} text={t('This account has no key with this ID.')} />
      </>
    );
  }
  return (
    <>
      {key.data === undefined && <PageHeader title={t('API key')} />}
      <Answered query={key} loading={<ListLoading label={t('Loading the key')} rows={3} />}>
        {(found) => (
          <Stack gap="xl">
            <Found accountId={accountId} apiKey={found} />
            {children}
          </Stack>
        )}
      </Answered>
    </>
  );
}

function Found({ accountId, apiKey }: { readonly accountId: string; readonly apiKey: KeyDetail }) {
  const revoking = useQuestion<true>();
  const { key_id, label, prefix, created_at, last_used_at, revoked_at, created_by, revoked_by } = apiKey;
  const live = revoked_at === null;
  return (
    <div>
      <PageHeader
        title={keyName(apiKey)}
        text={
          <Badge component="span" color={live ? 'teal' : 'gray'} variant="light" autoContrast>
            {live ? t('In use') : t('Revoked')}
          </Badge>
        }
      >
        {live && (
          <Button variant="default" leftSection={<IconKey size={18} aria-hidden />} onClick={() => revoking.ask(true)}>
            {t('Revoke key')}
          </Button>
        )}
      </PageHeader>
      <Paper withBorder radius="lg" px="md" py="xs" maw={900} component="section" aria-label={t('About the key')}>
        <Facts
          facts={[
            [t('Name'), label ?? t('No name')],
            [t('Begins with'), <ShownId key="prefix" id={prefix} label={t('beginning of the key')} />],
            [t('Last used'), <Ago key="used" at={last_used_at} none={t('Never')} size="sm" />],
            [t('Created'), <Moment key="created" at={created_at} size="sm" />],
            [t('Created by'), who(created_by)],
            ...(live
              ? []
              : [[t('Revoked'), <Moment key="revoked" at={revoked_at} size="sm" />] as const, [t('Revoked by'), who(revoked_by)] as const]),
            [t('Key ID'), <ShownId key="id" id={key_id} label={t('key ID')} />],
          ]}
        />
      </Paper>
      <RevokeDialog opened={revoking.opened} accountId={accountId} apiKey={apiKey} onClose={revoking.close} />
    </div>
  );
}

function who(actor: ActorView | null): string {
  return actor === null ? t('No longer known') : actorText(actor);
}
