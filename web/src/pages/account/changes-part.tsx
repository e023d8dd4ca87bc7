import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditEntry } from '../../../../src/portal/wire/index.ts';
import { accountKey } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { AuditPages } from '../../parts/audit/audit-pages.tsx';
import { type ListSearch, listQuery } from '../../parts/list/use-list.ts';
import { useAccountId } from '../../session/session.ts';

const pageSize = '30';

/** Who changed what of this account, newest first. */
export function ChangesPart() {
  const accountId = useAccountId();
  const [place, setPlace] = useState<ListSearch>({});
  const search = { limit: pageSize, ...place };
  const changes = useQuery(listQuery<AuditEntry>(accountKey(accountId, 'audit'), '/portal/api/audit', search, accountId));
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        {t('Who changed what in this account: numbers, keys, people and plan. Entries are kept for 400 days and cannot be edited.')}
      </Text>
      <AuditPages
        query={changes}
        none={{ title: t('No changes yet'), text: t('Every change to this account will be listed here.') }}
        onPage={setPlace}
      />
    </Stack>
  );
}
