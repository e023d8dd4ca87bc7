import { Divider, NavLink, Stack, Text } from '@mantine/core';
import { IconBook2 } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { t } from '../language/language.ts';
import { useManages } from '../session/manages.ts';
import { rolesOf, useSession } from '../session/session.ts';
import { type Entry, entriesOf } from './entries.ts';
import classes from './navigation.module.css';

/** The list of pages this person can open. */
export function Navigation({ onChoose }: { onChoose(): void }) {
  const session = useSession();
  const { operator } = rolesOf(session);
  const { ofAccount, administered } = entriesOf(session, useManages());
  return (
    <>
      <Stack component="nav" aria-label={t('Pages')} gap={1} className={classes.pages}>
        {ofAccount.map((entry) => (
          <Item key={entry.to} entry={entry} onChoose={onChoose} />
        ))}
        {administered.length > 0 && (
          <>
            <Divider my={6} />
            <Text size="xs" fw={600} c="dimmed" px="sm" pb={2}>
              {operator ? t('Operator') : t('Provider')}
            </Text>
            {administered.map((entry) => (
              <Item key={entry.to} entry={entry} onChoose={onChoose} />
            ))}
          </>
        )}
      </Stack>
      <footer>
        <Divider my={6} />
        <NavLink
          className={classes.row}
          href="/docs"
          target="_blank"
          label={t('API reference')}
          leftSection={<IconBook2 size={18} aria-hidden />}
        />
        <Text size="xs" c="dimmed" px="sm" pt={4}>
          {t('Version {{version}}', { version: session.version })}
        </Text>
      </footer>
    </>
  );
}

function Item({ entry: { to, label, icon: Icon, within = to }, onChoose }: { readonly entry: Entry; onChoose(): void }) {
  const here = useLocation({ select: ({ pathname }) => pathname === within || pathname.startsWith(`${within}/`) });
  return (
    <NavLink
      className={classes.row}
      component={Link}
      to={to}
      label={label}
      active={here}
      aria-current={here ? 'page' : undefined}
      leftSection={<Icon size={18} aria-hidden />}
      onClick={onChoose}
    />
  );
}
