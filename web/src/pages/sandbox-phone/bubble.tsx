import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import type { SandboxChatMessage } from '../../../../src/portal/wire/sandbox.ts';
import { t } from '../../language/language.ts';
import { shownTime } from '../../parts/shown-moment.ts';
import { Content } from './message/content.tsx';
import { Summary } from './message/summary.tsx';
import classes from './phone.module.css';

interface BubbleProps {
  readonly message: SandboxChatMessage;
  readonly first: boolean;
  /** The sender, when the chat has several. */
  readonly sender: string | null;
  readonly reactions: string;
  readonly quotedAuthor: string | null;
  readonly quoted: SandboxChatMessage | null;
  /** What stands for a quoted message that is not there. */
  readonly quotedWords?: string;
  onShow(messageId: string): void;
}

/** One message as its recipient sees it. */
export const Bubble = memo(function Bubble({ message, first, sender, reactions, quotedAuthor, quoted, quotedWords, onShow }: BubbleProps) {
  const bare = message.type === 'sticker';
  return (
    <article
      className={classes.bubble}
      data-message-id={message.message_id}
      data-type={message.type}
      data-first={first || undefined}
      data-bare={bare || undefined}
      data-reacted={reactions !== '' || undefined}
    >
      {first && sender !== null && (
        <Text size="xs" fw={600} className={classes.sender} dir="auto">
          {sender}
        </Text>
      )}
      {quotedAuthor !== null && (
        <QuoteOf author={quotedAuthor} message={quoted} missing={quotedWords ?? t('A message that is not on this phone')} onShow={onShow} />
      )}
      <Content message={message} />
      <Text size="xs" className={classes.time}>
        <time dateTime={message.received_at}>{shownTime(message.received_at)}</time>
      </Text>
      {reactions !== '' && (
        <span className={classes.reactions}>
          <VisuallyHidden>{t('Reactions:')} </VisuallyHidden>
          {reactions}
        </span>
      )}
    </article>
  );
});

/** The message a reply quotes; a click scrolls to it. */
function QuoteOf({
  author,
  message,
  missing,
  onShow,
}: {
  readonly author: string;
  readonly message: SandboxChatMessage | null;
  readonly missing: string;
  onShow(id: string): void;
}) {
  const words = (
    <>
      <Text size="xs" fw={600} className={classes.quoteAuthor} dir="auto">
        {author}
      </Text>
      <Text size="xs" component="div" className={classes.quoteWords}>
        {message === null ? missing : <Summary message={message} />}
      </Text>
    </>
  );
  if (message === null) return <div className={classes.quote}>{words}</div>;
  return (
    <UnstyledButton className={classes.quote} onClick={() => onShow(message.message_id)}>
      <VisuallyHidden>{t('Reply to')} </VisuallyHidden>
      {words}
    </UnstyledButton>
  );
}
