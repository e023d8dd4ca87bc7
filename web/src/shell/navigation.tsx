import { AppShell, Divider, NavLink, ScrollArea, Stack, Text } from '@mantine/core';
import {
  IconActivity,
  IconBook2,
  IconBuildingStore,
  IconChartBar,
  IconDeviceMobile,
  IconDeviceMobileMessage,
  IconHeartbeat,
  IconHistory,
  IconId,
  IconKey,
  IconListNumbers,
  IconPackages,
  IconSend,
  IconUserCog,
  IconUsers,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { rolesOf, useSession } from '../session/session.ts';

interface Entry {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ size: number; 'aria-hidden': true }>;
}

const ofAccount: readonly Entry[] = [
  { to: '/numbers', label: 'Numbers', icon: IconDeviceMobile },
  { to: '/keys', label: 'API keys', icon: IconKey },
  { to: '/send', label: 'Send', icon: IconSend },
  { to: '/activity', label: 'Activity', icon: IconActivity },
  { to: '/usage', label: 'Usage', icon: IconChartBar },
];
const sandbox: Entry = { to: '/sandbox-phone', label: 'Sandbox phone', icon: IconDeviceMobileMessage };
const account: Entry = { to: '/account', label: 'Account', icon: IconId };

const ofBoth: readonly Entry[] = [
  { to: '/operator/accounts', label: 'Accounts', icon: IconUsers },
  { to: '/operator/numbers', label: 'All numbers', icon: IconListNumbers },
  { to: '/operator/users', label: 'People', icon: IconUserCog },
  { to: '/operator/audit', label: 'Audit log', icon: IconHistory },
];
const ofOperator: readonly Entry[] = [
  { to: '/operator/providers', label: 'Providers', icon: IconBuildingStore },
  { to: '/operator/plans', label: 'Plans', icon: IconPackages },
  { to: '/operator/health', label: 'Health', icon: IconHeartbeat },
];

/** The list of pages this person can open. */
export function Navigation({ onChoose }: { onChoose(): void }) {
  const session = useSession();
  const { operator, providerAdmin } = rolesOf(session);
  const pages = session.account === null ? [account] : [...ofAccount, ...(session.networks.includes('sandbox') ? [sandbox] : []), account];
  return (
    <>
      <AppShell.Section grow component={ScrollArea} type="auto">
        <nav aria-label="Pages">
          <Stack gap={2}>
            {pages.map((entry) => (
              <Item key={entry.to} entry={entry} onChoose={onChoose} />
            ))}
            {(operator || providerAdmin) && (
              <>
                <Divider my="xs" />
                <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
                  {operator ? 'Operator' : 'Provider'}
                </Text>
                {[...ofBoth, ...(operator ? ofOperator : [])].map((entry) => (
                  <Item key={entry.to} entry={entry} onChoose={onChoose} />
                ))}
              </>
            )}
          </Stack>
        </nav>
      </AppShell.Section>
      <AppShell.Section>
        <Divider my="xs" />
        <NavLink href="/docs" target="_blank" label="API reference" leftSection={<IconBook2 size={18} aria-hidden />} />
        <Text size="xs" c="dimmed" px="sm" pt={4}>
          Version {session.version}
        </Text>
      </AppShell.Section>
    </>
  );
}

function Item({ entry: { to, label, icon: Icon }, onChoose }: { readonly entry: Entry; onChoose(): void }) {
  const { pathname } = useLocation();
  const here = pathname === to || pathname.startsWith(`${to}/`);
  return (
    <NavLink
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
