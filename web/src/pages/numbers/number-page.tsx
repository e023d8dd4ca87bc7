import { Button, Code, Group, SimpleGrid, Skeleton } from '@mantine/core';
import { IconActivity, IconDeviceMobile, IconLink, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { NumberDetail } from '../../../../src/portal/wire/index.ts';
import { ApiError, call } from '../../api/client.ts';
import { accountKey } from '../../api/queries.ts';
import { useSuspended } from '../../parts/account/use-suspended.ts';
import { Answered } from '../../parts/answered.tsx';
import { Back } from '../../parts/back.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { NumberOverview } from '../../parts/number/number-detail.tsx';
import { nameOf } from '../../parts/number-words.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { useAccountId } from '../../session/session.ts';

/** One number: how it is, why, and what happened to it. */
export default function NumberPage() {
  const { instanceId } = useParams({ from: '/signed-in/of-account/numbers/$instanceId' });
  const accountId = useAccountId();
  const number = useQuery({
    queryKey: accountKey(accountId, 'number', instanceId),
    queryFn: ({ signal }) => call<NumberDetail>(`/portal/api/numbers/${encodeURIComponent(instanceId)}`, { account: accountId, signal }),
  });
  const missing = number.error instanceof ApiError && number.error.code === 'instance_not_found';
  return (
    <>
      <PageHeader title={number.data === undefined ? 'Number' : nameOf(number.data)}>
        {number.data !== undefined && !missing && <Actions number={number.data} />}
      </PageHeader>
      <Group mb="md" mt={-8}>
        <Back to="/numbers">All numbers</Back>
      </Group>
      {missing ? (
        <EmptyState
          icon={<IconDeviceMobile size={28} />}
          title="No such number"
          text={
            <>
              This account has no number <Code>{instanceId}</Code>. It may have been deleted.
            </>
          }
        />
      ) : (
        <Answered query={number} loading={<Loading />}>
          {(found) => <NumberOverview number={found} own />}
        </Answered>
      )}
    </>
  );
}

/** The most likely action, and what was sent. */
function Actions({ number: { instance_id, standing } }: { readonly number: NumberDetail }) {
  const suspended = useSuspended();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconActivity size={18} aria-hidden />}
        renderRoot={(props) => <Link to="/activity" search={{ instance_id }} {...props} />}
      >
        Activity
      </Button>
      {!suspended && standing === 'connected' && (
        <Button
          leftSection={<IconSend size={18} aria-hidden />}
          renderRoot={(props) => <Link to="/send" search={{ instance_id }} {...props} />}
        >
          Send
        </Button>
      )}
      {!suspended && standing !== 'connected' && standing !== 'reconnecting' && (
        <Button
          leftSection={<IconLink size={18} aria-hidden />}
          renderRoot={(props) => <Link to="/numbers" search={{ pair: instance_id }} {...props} />}
        >
          {standing === 'pairing' ? 'Show code' : 'Link'}
        </Button>
      )}
    </>
  );
}

function Loading() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} role="status" aria-label="Loading the number">
      <Skeleton h={240} radius="lg" />
      <Skeleton h={360} radius="lg" />
    </SimpleGrid>
  );
}
