import { Anchor, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useBrand } from '../brand/brand.ts';
import { t } from '../language/language.ts';
import { SilenceBanner } from '../live/silence-banner.tsx';
import { useLive } from '../live/use-live.ts';
import { ExactTip } from '../parts/exact-tip.tsx';
import { KeptSearch } from '../parts/last-search.ts';
import { PageLoading } from '../parts/page-loading.tsx';
import { SearchButton } from '../search/search-button.tsx';
import { useSigningOut } from '../session/sign-out.ts';
import { AccountSwitcher } from './account-switcher.tsx';
import { ActingBanner } from './acting-banner.tsx';
import { Navigation } from './navigation.tsx';
import { PersonMenu } from './person-menu.tsx';
import classes from './shell.module.css';

/** The frame of every page behind the sign-in. While the person signs out nothing of it is there, so that nothing asks and is refused. */
export function Shell() {
  return useSigningOut() ? <PageLoading /> : <Frame />;
}

/** Head, navigation, and the page. */
function Frame() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const { name, logo } = useBrand();
  const burger = useRef<HTMLButtonElement>(null);
  useLive();
  // On a phone the open menu covers the page; where both have room it would be open again as soon as the window is narrow.
  useEffect(() => {
    if (!opened) return;
    const end = new AbortController();
    const { signal } = end;
    const onKey = ({ key, target }: KeyboardEvent) => {
      // What is open in the head, above the menu, has its own use for the key.
      const isElsewhere = target instanceof Element && target.closest('header, [role=dialog], [role=menu], [role=listbox]') !== null;
      if (key !== 'Escape' || (isElsewhere && target !== burger.current)) return;
      close();
      burger.current?.focus();
    };
    document.addEventListener('keydown', onKey, { signal });
    matchMedia('(min-width: 48em)').addEventListener('change', close, { signal });
    return () => end.abort();
  }, [opened, close]);
  return (
    <>
      <a href="#page" className="skip-link">
        {t('Skip to content')}
      </a>
      <header className={classes.head}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              ref={burger}
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? t('Close the navigation') : t('Open the navigation')}
            />
            <Anchor component={Link} to="/" onClick={close} underline="never" c="inherit" aria-label={name} miw={0}>
              <Group gap={8} wrap="nowrap">
                <img src={logo} alt="" width={28} height={28} style={{ objectFit: 'contain' }} />
                <Text fw={650} component="span" visibleFrom="xs" truncate maw={240}>
                  {name}
                </Text>
              </Group>
            </Anchor>
          </Group>
          {/* Of the head the brand's name gives way first: the way out must stay in sight. */}
          <Group gap="sm" wrap="nowrap" flex="none">
            <AccountSwitcher />
            <SearchButton />
            <PersonMenu />
          </Group>
        </Group>
      </header>
      <div className={classes.menu} data-closed={!opened || undefined}>
        <Navigation onChoose={close} />
      </div>
      <main id="page" tabIndex={-1} className={classes.page}>
        <SilenceBanner />
        <ActingBanner />
        <Outlet />
        <ExactTip />
        <KeptSearch />
      </main>
    </>
  );
}
