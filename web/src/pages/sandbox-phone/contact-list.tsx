import { Avatar, Paper, Text, TextInput } from '@mantine/core';
import { IconSearch, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SandboxContact } from '../../../../src/portal/wire/sandbox.ts';
import { t } from '../../language/language.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { Summary } from './message/summary.tsx';
import { shownShortly } from './message/words.ts';
import classes from './sandbox-phone.module.css';

/** The search field is shown from this many contacts on. */
const searchFrom = 9;

interface ContactListProps {
  readonly contacts: readonly SandboxContact[];
  /** Digits of the contact whose phone is open. */
  readonly open: string | null;
}

/** The contacts that received something; choosing one opens that phone. */
export function ContactList({ contacts, open }: ContactListProps) {
  const [search, setSearch] = useState('');
  const digits = search.replaceAll(/\D/g, '');
  const found = contacts.filter(({ number }) => number.includes(digits));
  return (
    <Paper withBorder radius="lg" component="nav" aria-label={t('Contacts')} className={classes.contacts}>
      {contacts.length >= searchFrom && (
        <TextInput
          type="search"
          inputMode="numeric"
          aria-label={t('Find a contact')}
          placeholder={t('Find by digits')}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          m="sm"
        />
      )}
      <ul className={classes.contactList}>
        {found.map((contact) => (
          <Contact key={contact.number} contact={contact} open={contact.number === open} />
        ))}
      </ul>
      {found.length === 0 && (
        <Text c="dimmed" size="sm" ta="center" p="lg" role="status">
          {t('No contact has these digits.')}
        </Text>
      )}
    </Paper>
  );
}

function Contact({ contact: { number, last }, open }: { readonly contact: SandboxContact; readonly open: boolean }) {
  return (
    <li>
      <Link to="/sandbox-phone" search={{ with: Number(number) }} aria-current={open ? 'true' : undefined} className={classes.contact}>
        <Avatar radius="xl" size={40} alt="">
          <IconUser size={22} aria-hidden />
        </Avatar>
        <span className={classes.contactWords}>
          <span className={classes.contactLine}>
            <Text component="span" size="sm" fw={600} truncate>
              {shownNumber(number)}
            </Text>
            <Text component="span" size="xs" c="dimmed" className={classes.contactTime}>
              {shownShortly(last.received_at, new Date())}
            </Text>
          </span>
          <Text component="span" size="sm" c="dimmed" className={classes.contactLast}>
            <Summary message={last} />
          </Text>
        </span>
      </Link>
    </li>
  );
}
