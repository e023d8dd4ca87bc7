import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountNoteView } from '../../../../src/portal/wire/customers.ts';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { ListLoading } from '../../parts/list-parts.tsx';
import { Section } from '../../parts/section.tsx';
import { shownMoment } from '../../parts/shown-moment.ts';
import { takenOver } from '../../parts/taken-over.ts';
import { useChange } from '../../parts/use-change.ts';
import { accountNoteQuery } from './queries.ts';

const mostCharacters = 4000;

/** What those who run the account note about it. */
export function AccountNote({ accountId }: { readonly accountId: string }) {
  const note = useQuery(accountNoteQuery(accountId));
  return (
    <Section title={t('Note')}>
      <Answered query={note} loading={<ListLoading label={t('Loading the note')} rows={1} />}>
        {(found) => <NoteForm key={accountId} accountId={accountId} note={found} />}
      </Answered>
    </Section>
  );
}

function NoteForm({ accountId, note }: { readonly accountId: string; readonly note: AccountNoteView }) {
  const [text, setText] = useState(note.text);
  const [stored, setStored] = useState(note.text);
  if (stored !== note.text) {
    setStored(note.text);
    setText(takenOver(text, stored, note.text));
  }
  const write = (written: string) =>
    call('PUT /portal/api/operator/accounts/:id/note', { params: { id: accountId }, body: { text: written } });
  const save = useChange(write, { said: () => t('The note is saved.'), back: () => () => write(note.text) });
  const changed = text.trim() !== note.text;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(text);
      }}
    >
      <Stack gap="xs">
        <Textarea
          aria-label={t('Note')}
          description={t('For you and everybody else who runs this account. Its own people never see it.')}
          inputWrapperOrder={['input', 'description', 'error']}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={mostCharacters}
          autosize
          minRows={2}
          maxRows={12}
          maw={720}
        />
        <FailureAlert error={save.error} />
        <Group gap="sm">
          <Button type="submit" variant="default" size="xs" disabled={!changed} loading={save.isPending}>
            {t('Save note')}
          </Button>
          {note.written_at !== null && (
            <Text size="xs" c="dimmed">
              {t('{{who}}, {{when}}', { who: note.written_by ?? t('The command line'), when: shownMoment(note.written_at) })}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}
