import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { instancesQuery } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyPanel } from '../../parts/empty-panel.tsx';
import { ListLoading } from '../../parts/list-parts.tsx';
import { Section } from '../../parts/section.tsx';
import { type Loaded, latestSendsQuery } from '../../parts/sends/activity-query.ts';
import { SendRows } from '../../parts/sends/send-rows.tsx';
import { shownMoment } from '../../parts/shown-moment.ts';
import { useAccountId } from '../../session/session.ts';

/** How many sends are shown before the whole list is opened. */
const latest = 5;

/** What was sent with a key last, with the way to everything of the last 30 days. */
export function KeySends({ keyId }: { readonly keyId: string }) {
  const accountId = useAccountId();
  const filter = { key_id: keyId };
  const sends = useQuery(latestSendsQuery(accountId, filter, latest));
  const { data: numbers } = useQuery(instancesQuery(accountId));
  return (
    <Section
      title={t('Latest sends')}
      actions={
        <Button renderRoot={(props) => <Link to="/activity" search={filter} {...props} />} variant="subtle" size="compact-sm">
          {t('Everything sent with it')}
        </Button>
      }
    >
      <Answered query={sends} loading={<ListLoading label={t('Loading the activity')} rows={latest} />}>
        {(found) =>
          found.items.length === 0 ? <EmptyPanel>{noneOf(found)}</EmptyPanel> : <SendRows sends={found.items} numbers={numbers} />
        }
      </Answered>
    </Section>
  );
}

/** A busy account's log is looked through in parts, the newest first. */
function noneOf({ cursor, searchedBackTo }: Loaded): string {
  return cursor === null || searchedBackTo === null
    ? t('Nothing was sent with this key in the last 30 days.')
    : t('Nothing was sent with this key since {{when}}.', { when: shownMoment(searchedBackTo) });
}
