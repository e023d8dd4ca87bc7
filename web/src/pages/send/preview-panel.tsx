import { Paper, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { SandboxChatMessage } from '../../../../src/portal/wire/sandbox.ts';
import { t } from '../../language/language.ts';
import { useSession } from '../../session/session.ts';
import { Bubble } from '../sandbox-phone/bubble.tsx';
import { FileSourceProvider } from '../sandbox-phone/message/use-file.ts';
import phone from '../sandbox-phone/phone.module.css';
import { PhoneScreenProvider } from '../sandbox-phone/phone-screen.ts';
import { contentOf, fileOf, isBlank } from './preview.ts';
import classes from './send.module.css';

interface PreviewPanelProps {
  readonly type: SandboxChatMessage['type'];
  /** The request's body as far as it is written. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What the recipient sees the sender as. */
  readonly sender: string;
}

/** The message as its recipient will see it, while it is written. */
export function PreviewPanel({ type, body, sender }: PreviewPanelProps) {
  const { base_url } = useSession();
  const [screen, setScreen] = useState<HTMLDivElement | null>(null);
  const [now] = useState(() => new Date().toISOString());
  const content = contentOf(type, body);
  const reaction = type === 'reaction';
  const message: SandboxChatMessage = {
    message_id: 'preview',
    from: '',
    to: '',
    type: reaction ? 'text' : type,
    content: reaction ? { text: t('The message you react to') } : content,
    quoted: null,
    received_at: now,
    file: null,
  };
  const quoted = typeof body.quoted_message_id === 'string';
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-label={t('As the recipient will see it')}>
      <Title order={2} size="h5" mb="xs">
        {t('As the recipient will see it')}
      </Title>
      <div className={`${phone.device} ${classes.preview}`}>
        <div ref={setScreen} className={classes.previewScreen}>
          {!reaction && isBlank(content) ? (
            <Text size="sm" c="dimmed" ta="center">
              {t('Nothing written yet.')}
            </Text>
          ) : (
            <PhoneScreenProvider value={screen}>
              <FileSourceProvider value={(fields) => fileOf(fields, base_url)}>
                <Bubble
                  // Another file is another picture: what was found out about the one before does not hold.
                  key={`${type} ${String(body.url ?? '')}`}
                  message={message}
                  first
                  sender={null}
                  reactions={reaction && typeof body.emoji === 'string' ? body.emoji : ''}
                  quotedAuthor={quoted ? (body.quoted_from_me === true ? sender : t('You')) : null}
                  quoted={null}
                  quotedWords={t('The message you reply to')}
                  onShow={nothing}
                />
              </FileSourceProvider>
            </PhoneScreenProvider>
          )}
        </div>
      </div>
    </Paper>
  );
}

/** A preview has nothing to scroll to. */
function nothing(): void {}
