import { ActionIcon, Button, Checkbox, Collapse, Stack, TextInput, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { t } from '../../language/language.ts';
import { useSession } from '../../session/session.ts';
import { useProblem } from './form/problems.tsx';
import { randomKey } from './message-keys.ts';

/** What few sends need. */
export interface More {
  readonly quotedMessageId: string;
  readonly quotedFromMe: boolean;
  readonly idempotencyKey: string;
}

export const nothingMore: More = { quotedMessageId: '', quotedFromMe: false, idempotencyKey: '' };

interface MoreFieldsProps {
  readonly more: More;
  /** What chooses the message that this is a reply to; false: this kind cannot be one. */
  readonly reply: ReactNode;
  onChange(more: More): void;
}

/** Reply-to and idempotency key, folded away until they are wanted or something is wrong with them. */
export function MoreFields({ more, reply, onChange }: MoreFieldsProps) {
  const [wanted, setWanted] = useState(false);
  const id = useId();
  const quoted = useProblem('quoted_message_id');
  const fromMe = useProblem('quoted_from_me');
  const key = useProblem('Idempotency-Key');
  const { idempotency } = useSession();
  if (reply === false && !idempotency) return null;
  const opened = wanted || [quoted, fromMe, key].some(({ problem }) => problem !== undefined);
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        px={4}
        leftSection={opened ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setWanted(!opened)}
      >
        {t('More')}
      </Button>
      <Collapse expanded={opened} id={id}>
        <Stack gap="md" pt="sm">
          {reply !== false && (
            <>
              {opened && reply}
              <TextInput
                label={t('Reply to')}
                description={t('The message ID of an earlier message in this chat. Makes this one a reply to it.')}
                autoComplete="off"
                spellCheck={false}
                value={more.quotedMessageId}
                error={quoted.problem}
                onChange={(event) => {
                  quoted.changed();
                  // With a space that was pasted along it would be the id of another message, which nobody has.
                  onChange({ ...more, quotedMessageId: event.currentTarget.value.trim() });
                }}
              />
              <Checkbox
                label={t('That message was sent from this number')}
                checked={more.quotedFromMe}
                error={fromMe.problem}
                onChange={(event) => {
                  fromMe.changed();
                  onChange({ ...more, quotedFromMe: event.currentTarget.checked });
                }}
              />
            </>
          )}
          {idempotency && (
            <TextInput
              label={t('Idempotency key')}
              description={t(
                'Sending twice with the same key within 24 hours delivers the message once. Without one of yours, each message gets its own.',
              )}
              autoComplete="off"
              spellCheck={false}
              value={more.idempotencyKey}
              error={key.problem}
              onChange={(event) => {
                key.changed();
                onChange({ ...more, idempotencyKey: event.currentTarget.value });
              }}
              rightSection={
                <Tooltip label={t('Generate a key')}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('Generate a key')}
                    onClick={() => {
                      key.changed();
                      onChange({ ...more, idempotencyKey: randomKey() });
                    }}
                  >
                    <IconRefresh size={18} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              }
            />
          )}
        </Stack>
      </Collapse>
    </div>
  );
}
