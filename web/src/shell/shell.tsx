import { Anchor, AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { useLive } from '../live/use-live.ts';
import { ActingBanner } from './acting-banner.tsx';
import { Navigation } from './navigation.tsx';
import { PersonMenu } from './person-menu.tsx';

/** The frame of every page behind the sign-in: head, navigation, and the page. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false);
  useLive();
  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !opened } }} padding="md">
      <a href="#page" className="skip-link">
        Skip to the page
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? 'Close the navigation' : 'Open the navigation'}
            />
            <Anchor component={Link} to="/" underline="never" c="inherit" aria-label="Messaging Gateway">
              <Group gap={8} wrap="nowrap">
                <img src="/assets/icon.svg" alt="" width={28} height={28} />
                <Text fw={650} component="span" visibleFrom="xs">
                  Messaging Gateway
                </Text>
              </Group>
            </Anchor>
          </Group>
          <PersonMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <Navigation onChoose={close} />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1}>
        <ActingBanner />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
