import { Button } from '@mantine/core';
import { IconBell, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AlertTargetView } from '../../../../src/portal/wire/alerts.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../answered.tsx';
import { EmptyState } from '../empty-state.tsx';
import { ListLoading } from '../list-parts.tsx';
import { PageHeader } from '../page-header.tsx';
import { useQuestion } from '../use-question.ts';
import { type AlertHome, targetsQuery } from './home.ts';
import { Problems } from './problems.tsx';
import { NewTargetDialog } from './target-dialog.tsx';
import type { TargetPlace } from './target-form.tsx';
import { TargetList } from './target-list.tsx';

interface TargetsProps {
  readonly title: string;
  readonly home: AlertHome;
  /** What the page says of itself. */
  readonly text: ReactNode;
  /** False while the account is suspended. */
  readonly changeable: boolean;
  readonly place?: TargetPlace;
  readonly toldOf?: (target: AlertTargetView) => ReactNode;
}

/** The page of everybody who is told when something is wrong. */
export function Targets({ title, home, text, changeable, place, toldOf }: TargetsProps) {
  const targets = useQuery(targetsQuery(home));
  const adding = useQuestion<true>();
  return (
    <>
      <PageHeader title={title} text={text}>
        {changeable && (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => adding.ask(true)}>
            {t('Add a target')}
          </Button>
        )}
      </PageHeader>
      <Answered query={targets} loading={<ListLoading label={t('Loading the targets')} rows={3} />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState
              icon={<IconBell size={28} />}
              title={t('Nobody is told yet')}
              text={t(
                'Add a webhook or an e-mail address. It is told right away what is wrong now, and then whenever a problem begins or ends.',
              )}
            >
              {changeable && (
                <Button mt="sm" onClick={() => adding.ask(true)}>
                  {t('Add the first target')}
                </Button>
              )}
            </EmptyState>
          ) : (
            <TargetList home={home} targets={found} {...(toldOf === undefined ? {} : { toldOf })} />
          )
        }
      </Answered>
      <Problems home={home} />
      <NewTargetDialog opened={adding.opened} home={home} place={place} onClose={adding.close} />
    </>
  );
}
