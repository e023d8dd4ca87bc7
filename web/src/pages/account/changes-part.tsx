import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../language/language.ts';
import { accountAuditQuery } from '../../parts/audit/account-audit.ts';
import { AuditPages } from '../../parts/audit/audit-pages.tsx';
import { FilterChip } from '../../parts/list/filter-chip.tsx';
import type { ListSearch } from '../../parts/list/use-list.ts';
import { useAccountId } from '../../session/session.ts';

const pageSize = '30';

/** Who changed what of this account, newest first; of one person where the address names them. */
export function ChangesPart() {
  const { actor } = useSearch({ from: '/signed-in/account' });
  const navigate = useNavigate({ from: '/account' });
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        {t('Who changed what in this account: numbers, keys, people and plan. Entries are kept for 400 days and cannot be edited.')}
      </Text>
      {actor !== undefined && (
        <Group>
          <FilterChip onRemove={() => void navigate({ search: { part: 'changes' } })}>{t('By {{who}}', { who: actor })}</FilterChip>
        </Group>
      )}
      <Changes key={actor ?? ''} actor={actor} />
    </Stack>
  );
}

function Changes({ actor }: { readonly actor: string | undefined }) {
  const [place, setPlace] = useState<ListSearch>({});
  const changes = useQuery(accountAuditQuery(useAccountId(), { limit: pageSize, actor, ...place }));
  return (
    <AuditPages
      query={changes}
      none={{ title: t('No changes yet'), text: t('Every change to this account will be listed here.') }}
      nothingFits={actor === undefined ? undefined : t('No change matches.')}
      onPage={setPlace}
    />
  );
}
