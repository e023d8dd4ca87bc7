import { Group, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { accountAuditQuery } from '../../parts/audit/account-audit.ts';
import { AuditList, AuditLoading } from '../../parts/audit/audit-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterChip } from '../../parts/list/filter-chip.tsx';
import { ListPager } from '../../parts/list/list-pager.tsx';
import type { ListSearch } from '../../parts/list/use-list.ts';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useAccountId } from '../../session/session.ts';

const pageSize = '30';

/** Who changed what of this account, newest first; by one person or to one thing where the address names them. */
export function ChangesPart() {
  const { actor, name } = useSearch({ from: '/signed-in/account' });
  const navigate = useNavigate({ from: '/account' });
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        {t('Who changed what in this account: numbers, keys, people and plan. Entries are kept for 400 days and cannot be edited.')}
      </Text>
      <Group gap="sm" align="flex-end">
        <SearchField
          value={name ?? ''}
          labelled
          label={t('To what')}
          placeholder={t('Start of a name, also a deleted one')}
          onChange={(typed) =>
            void navigate({ search: ({ name: _, ...rest }) => (typed === '' ? rest : { ...rest, name: typed }), replace: true })
          }
        />
        {actor !== undefined && (
          <FilterChip onRemove={() => void navigate({ search: ({ actor: _, ...rest }) => rest })}>
            {t('By {{who}}', { who: actor })}
          </FilterChip>
        )}
      </Group>
      <Changes key={`${actor} ${name}`} actor={actor} name={name} />
    </Stack>
  );
}

function Changes({ actor, name }: { readonly actor: string | undefined; readonly name: string | undefined }) {
  const [place, setPlace] = useState<ListSearch>({});
  const changes = useQuery(accountAuditQuery(useAccountId(), { limit: pageSize, actor, name, ...place }));
  return (
    <Answered query={changes} loading={<AuditLoading rows={8} />}>
      {(page) =>
        page.rows.length > 0 ? (
          <>
            <AuditList entries={page.rows} />
            <ListPager page={page} onPage={setPlace} />
          </>
        ) : actor === undefined && name === undefined ? (
          <EmptyState
            icon={<IconHistory size={28} />}
            title={t('No changes yet')}
            text={t('Every change to this account will be listed here.')}
          />
        ) : (
          <NothingFits>{t('No change matches.')}</NothingFits>
        )
      }
    </Answered>
  );
}
