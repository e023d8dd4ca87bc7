import { Paper, Text } from '@mantine/core';
import type { LinkProps } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import { AccountLink } from '../account-link.tsx';
import { Filled } from '../filled.tsx';
import { ListLoading } from '../list-parts.tsx';
import { Moment } from '../moment.tsx';
import { NameLink } from '../name-link.tsx';
import classes from './audit.module.css';
import { ChangeList } from './change-list.tsx';
import { shownChanges } from './changes.ts';
import { actorLink, targetLink } from './links.ts';
import { sentenceOf } from './sentence.ts';

export interface AuditListProps {
  readonly entries: readonly AuditEntry[];
  /** Whether each entry names its account, with a link to it. */
  readonly accounts?: boolean;
  /** Whether the reader administers what is told of, so that it leads to the administrators' pages; otherwise to those of the account. */
  readonly administers?: boolean;
  /** Names for ids in changes, where they are known. */
  readonly names?: Readonly<Record<string, string>>;
}

/** Entries of the audit log, one sentence each, with what changed below it. */
export function AuditList({ entries, accounts = false, administers = false, names = {} }: AuditListProps) {
  return (
    <Paper withBorder radius="lg" component="ol" className={classes.list} aria-label={t('Changes')}>
      {entries.map((entry) => (
        <Entry key={entry.audit_id} entry={entry} accounts={accounts} administers={administers} names={names} />
      ))}
    </Paper>
  );
}

type EntryProps = Required<Pick<AuditListProps, 'accounts' | 'administers' | 'names'>> & { readonly entry: AuditEntry };

function Entry({ entry, accounts, administers, names }: EntryProps) {
  const { text, who, target } = sentenceOf(entry);
  const { account_id, account_name, target_kind } = entry;
  const changes = shownChanges(entry, target, names);
  const elsewhere = accounts && target_kind !== 'account' ? account_id : null;
  const named =
    target !== null &&
    (accounts && target_kind === 'account' && account_id !== null ? (
      <AccountLink id={account_id}>{target}</AccountLink>
    ) : (
      <Named name={target} link={targetLink(entry, administers)} />
    ));
  const sentence = <Filled text={text} parts={{ who: <Named name={who} link={actorLink(entry)} />, target: named }} />;
  return (
    <li className={classes.entry}>
      <Moment at={entry.at} exact size="sm" c="dimmed" />
      <div className={classes.what}>
        <Text size="sm">
          {elsewhere === null ? (
            sentence
          ) : (
            <Filled
              text={t('<sentence/> in <account/>')}
              parts={{ sentence, account: <AccountLink id={elsewhere}>{account_name ?? elsewhere.slice(0, 8)}</AccountLink> }}
            />
          )}
        </Text>
        {changes.length > 0 && <ChangeList changes={changes} />}
      </div>
    </li>
  );
}

function Named({ name, link }: { readonly name: string; readonly link: LinkProps | null }) {
  return link === null ? <b>{name}</b> : <NameLink link={link}>{name}</NameLink>;
}

/** Stands in while the entries are loaded. */
export function AuditLoading({ rows = 4 }: { readonly rows?: number }) {
  return <ListLoading label={t('Loading the audit log')} rows={rows} height={56} gap="sm" />;
}
