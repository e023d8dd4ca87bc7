import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RequestView } from '../../../../src/portal/wire/sending.ts';
import { t } from '../../language/language.ts';
import { kindName } from '../../parts/kind.tsx';
import { shownNumber } from '../../parts/phone-number.ts';
import { latestSendsQuery } from '../../parts/sends/activity-query.ts';
import { shownMoment } from '../../parts/shown-moment.ts';
import { useAccountId } from '../../session/session.ts';

const offered = 50;

interface RecentMessageProps {
  readonly from: string | null;
  /** The id of the message that is meant, however it was chosen. */
  readonly messageId: string;
  onChoose(send: RequestView): void;
}

/** What the number sent lately, to choose what is replied or reacted to; nothing while it has sent nothing. */
export function RecentMessage({ from, messageId, onChoose }: RecentMessageProps) {
  const query = latestSendsQuery(useAccountId(), { instance_id: from ?? '', outcome: 'sent' }, offered);
  const { data } = useQuery({ ...query, enabled: from !== null });
  const sends = new Map(
    data?.items.filter(({ message_type }) => message_type !== 'reaction').map((send) => [send.message_id ?? send.request_id, send]),
  );
  if (sends.size === 0) return null;
  return (
    <Select
      label={t('A message that this number sent')}
      placeholder={t('Choose one of the latest')}
      searchable
      nothingFoundMessage={t('Nothing matches')}
      comboboxProps={{ withinPortal: false }}
      data={[...sends].map(([value, send]) => ({ value, label: nameOf(send) }))}
      value={sends.has(messageId) ? messageId : null}
      allowDeselect={false}
      onChange={(id) => {
        const send = id === null ? undefined : sends.get(id);
        if (send !== undefined) onChoose(send);
      }}
    />
  );
}

function nameOf({ message_type, recipient, at }: RequestView): string {
  const what = t('{{kind}} to {{recipient}}', { kind: kindName(message_type ?? ''), recipient: shownNumber(recipient) ?? '' });
  return `${what} · ${shownMoment(at)}`;
}
