import { Anchor, Divider, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { instancesQuery } from '../../../api/queries.ts';
import { Trans, t } from '../../../language/language.ts';
import { Answered } from '../../../parts/answered.tsx';
import { useAccountId } from '../../../session/session.ts';
import { phonesQuery } from '../queries.ts';
import { LinkedPhones } from './linked-phones.tsx';
import { OpenCode } from './open-code.tsx';

/** The phones on the sending side: which are linked to a number, and which code waits to be scanned. */
export function PhonesPanel() {
  const phones = useQuery(phonesQuery(useAccountId()));
  const { data: instances } = useQuery(instancesQuery(useAccountId()));
  const nameOf = (instanceId: string) => instances?.find(({ instance_id }) => instance_id === instanceId)?.label ?? t('Unnamed number');
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-labelledby="phones">
      <Title order={2} size="h4" id="phones" mb="xs">
        {t('Phones')}
      </Title>
      <Answered query={phones} loading={<Loading />}>
        {(data) => (
          <>
            <Title order={3} size="sm" mb={4}>
              {t('Linked', { context: 'phones' })}
            </Title>
            <LinkedPhones phones={data.phones} nameOf={nameOf} />
            <Divider my="md" />
            <Title order={3} size="sm" mb={4}>
              {t('Codes to scan')}
            </Title>
            {data.open_codes.length === 0 && (
              <Text size="sm" c="dimmed">
                <Trans
                  i18nKey="No code is being shown. Choose <b>Link</b> for a sandbox number under <a>Numbers</a>, then scan its code here."
                  components={{ b: <b />, a: <Anchor component={Link} to="/numbers" inherit underline="always" /> }}
                />
              </Text>
            )}
            <Stack gap="md">
              {data.open_codes.map(({ instance_id, code }) => (
                <OpenCode
                  key={instance_id}
                  code={code}
                  name={nameOf(instance_id)}
                  taken={data.phones.map(({ phone_number }) => phone_number)}
                />
              ))}
            </Stack>
          </>
        )}
      </Answered>
    </Paper>
  );
}

function Loading() {
  return (
    <Stack gap="xs" role="status" aria-label={t('Loading the phones')}>
      <Skeleton h={20} w="60%" />
      <Skeleton h={40} />
    </Stack>
  );
}
