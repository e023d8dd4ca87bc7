import { Loader, Text, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { call } from '../api/client.ts';
import { t } from '../language/language.ts';
import { useActing } from '../session/acting.ts';
import { useManages } from '../session/manages.ts';
import { useSession } from '../session/session.ts';
import { actionChoices, pageChoices } from './actions.ts';
import type { Choice } from './choice.ts';
import { type ChoiceGroup, foundGroups } from './found.ts';
import { useRecent } from './recent.ts';

/** The server is asked after a pause of this length in typing, for texts of this length or longer. */
const pauseMs = 200;
const shortest = 2;

/** Shows the palette. */
export function openPalette(): void {
  spotlight.open();
}

interface PaletteProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly typed: string;
  onType(text: string): void;
}

/** Finds everything that has a name, the pages, and what can be done; works by keyboard alone. */
export function Palette({ field, typed, onType }: PaletteProps) {
  const session = useSession();
  const manages = useManages();
  const [asked] = useDebouncedValue(typed.trim(), pauseMs);
  const { recent, remember } = useRecent();
  const { actFor } = useActing();
  const navigate = useNavigate();
  const found = useQuery({
    queryKey: ['search', session.account?.account_id ?? null, asked],
    queryFn: ({ signal }) => call('GET /portal/api/search', { query: { q: asked }, signal }),
    enabled: asked.length >= shortest,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const text = typed.trim().toLowerCase();
  const fitting = (choices: readonly Choice[]) => choices.filter(({ label }) => label.toLowerCase().includes(text));
  const searching = text.length >= shortest && (found.isFetching || asked !== typed.trim());
  // What was found before stays on screen meanwhile, but Enter must not open what fits only the beginning of the text.
  const groups: readonly (ChoiceGroup & { readonly isOld?: boolean })[] = [
    { title: t('Opened lately'), choices: text === '' ? recent : [] },
    ...(text.length >= shortest && found.data !== undefined
      ? foundGroups(found.data, session).map((group) => ({ ...group, isOld: searching }))
      : []),
    { title: t('Go to'), choices: fitting(pageChoices(session, manages)) },
    { title: t('Do'), choices: fitting(actionChoices(session)) },
  ].filter(({ choices }) => choices.length > 0);

  function choose(choice: Choice): void {
    const { href, accountId, object } = choice;
    if (href === undefined) return;
    if (object === true) remember(choice);
    if (accountId === undefined || accountId === session.account?.account_id) void navigate({ href });
    else actFor(accountId, href);
  }

  return (
    <Spotlight.Root
      shortcut={null}
      query={typed}
      onQueryChange={onType}
      // By itself it is cleared only when it is out of sight, and may be opened and typed into before.
      clearQueryOnClose={false}
      onSpotlightClose={() => onType('')}
      scrollable
      maxHeight={420}
      title={<VisuallyHidden>{t('Search')}</VisuallyHidden>}
      styles={{ header: { minHeight: 0, padding: 0 } }}
    >
      <Spotlight.Search
        ref={field}
        placeholder={t('Name, number, id, key, e-mail address, or what to do')}
        aria-label={t('Search')}
        maxLength={200}
        leftSection={<IconSearch size={20} aria-hidden />}
        rightSection={searching ? <Loader size={18} aria-hidden /> : null}
      />
      <Spotlight.ActionsList aria-label={t('Search results')} aria-busy={searching}>
        {groups.map(({ title, choices, isOld: disabled = false }) => (
          <Spotlight.ActionsGroup key={title} label={title}>
            {choices.map((choice) => {
              const { id, label, description, icon: Icon } = choice;
              return (
                <Spotlight.Action
                  key={id}
                  label={label}
                  {...(description === undefined ? {} : { description })}
                  // Dimmed it would be too pale on the colour of the chosen one.
                  styles={{ actionDescription: { opacity: 1 } }}
                  leftSection={<Icon size={20} aria-hidden />}
                  disabled={disabled}
                  onClick={() => choose(choice)}
                />
              );
            })}
          </Spotlight.ActionsGroup>
        ))}
        {found.error !== null && text.length >= shortest && (
          <Text size="sm" c="error" p="md" role="alert">
            {found.error.message}
          </Text>
        )}
        {groups.length === 0 && found.error === null && (
          <Spotlight.Empty>{searching ? t('Searching…') : t('Nothing has that name.')}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
