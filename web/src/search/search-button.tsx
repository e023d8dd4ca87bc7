import { ActionIcon, Button, Group, Kbd, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { t } from '../language/language.ts';
import { typeAhead } from './type-ahead.ts';

const loadPalette = () => import('./palette.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

/** The search in the head of every page: a box on wide screens, a button on phones, and Ctrl-K everywhere. The palette is loaded when it is first opened; what is typed meanwhile is not lost. */
export function SearchButton() {
  const [wanted, setWanted] = useState(false);
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const endOfTypeAhead = useRef(() => {});
  useEffect(() => () => endOfTypeAhead.current(), []);
  const open = () => {
    setWanted(true);
    endOfTypeAhead.current();
    const end = typeAhead({ ready: () => field.current !== null && field.current === document.activeElement, onType: setTyped });
    endOfTypeAhead.current = end;
    // Why it did not come is shown in its place.
    void loadPalette().then(({ openPalette }) => openPalette(), end);
  };
  // Also while something is being written, but not over a dialog: it may show what cannot be shown again, and the search leads away from it.
  const openByKeys = () => {
    if (document.querySelector('[aria-modal="true"]') === null) open();
  };
  useHotkeys([['mod+K', openByKeys]], []);
  return (
    <>
      <Button
        variant="default"
        visibleFrom="md"
        w={260}
        px="sm"
        justify="flex-start"
        fw={400}
        onClick={open}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <Group gap="xs" wrap="nowrap" w={234} justify="space-between">
          <Group gap={8} wrap="nowrap" c="dimmed">
            <IconSearch size={16} aria-hidden />
            <Text size="sm" component="span">
              {t('Search')}
            </Text>
          </Group>
          <Kbd size="xs" aria-hidden>
            {shortcut}
          </Kbd>
        </Group>
      </Button>
      <ActionIcon variant="default" size="lg" hiddenFrom="md" onClick={open} aria-label={t('Search')}>
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
      {wanted && (
        <Suspense fallback={null}>
          <Palette field={field} typed={typed} onType={setTyped} />
        </Suspense>
      )}
    </>
  );
}
