import { ActionIcon, TextInput } from '@mantine/core';
import { IconArrowRight, IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { t } from '../../language/language.ts';

/** Opens a request by its id. */
export function RequestSearch() {
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const requestId = String(new FormData(event.currentTarget).get('request_id')).trim();
    if (requestId !== '') void navigate({ to: '/activity/$requestId', params: { requestId } });
  };
  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          type="search"
          name="request_id"
          aria-label={t('Find a request by its ID')}
          placeholder={t('Find a request by its ID')}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          required
          w={330}
          maw="100%"
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={
            <ActionIcon type="submit" variant="subtle" aria-label={t('Open the request')}>
              <IconArrowRight size={18} aria-hidden />
            </ActionIcon>
          }
        />
      </form>
    </search>
  );
}
