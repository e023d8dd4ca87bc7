import { Button, Text } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import type { SandboxChatMessage } from '../../../../src/portal/wire/sandbox.ts';
import { t } from '../../language/language.ts';
import { Bubble } from './bubble.tsx';
import { type ChatLine, type Detached, linesOf } from './chat-view.ts';
import { shownDay } from './message/words.ts';
import classes from './phone.module.css';
import { usePinnedScroll } from './use-pinned-scroll.ts';

interface ChatProps {
  /** Digits. */
  readonly contact: string;
  /** Oldest first. */
  readonly messages: readonly SandboxChatMessage[];
  /** What a number of the account is called. */
  nameOf(number: string): string;
}

/** Everything a contact received, oldest on top, scrolled to the newest. */
export function Chat({ contact, messages, nameOf }: ChatProps) {
  const lines = useMemo(() => linesOf(messages), [messages]);
  const several = useMemo(() => new Set(messages.map(({ from }) => from)).size > 1, [messages]);
  const { viewport, content, below, toEnd } = usePinnedScroll(contact, lines.at(-1)?.key ?? null);
  const show = useCallback(
    (messageId: string) => {
      const box = viewport.current;
      const target = box?.querySelector(`[data-message-id="${CSS.escape(messageId)}"]`);
      if (!box || !(target instanceof HTMLElement)) return;
      // Only the phone scrolls, not the page around it.
      box.scrollTo({ top: target.offsetTop - (box.clientHeight - target.offsetHeight) / 2 });
      target.animate([{ filter: 'brightness(0.85)' }, { filter: 'none' }], 900);
    },
    [viewport],
  );
  return (
    <div className={classes.wall}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div ref={viewport} className={classes.viewport} role="log" aria-label={t('Messages')} tabIndex={0}>
        <div ref={content} className={classes.lines}>
          {lines.map((line) => (
            <Line key={line.key} line={line} several={several} nameOf={nameOf} onShow={show} />
          ))}
        </div>
      </div>
      {below && (
        <Button size="xs" radius="xl" className={classes.below} leftSection={<IconArrowDown size={16} aria-hidden />} onClick={toEnd}>
          {t('New message')}
        </Button>
      )}
    </div>
  );
}

interface LineProps extends Pick<ChatProps, 'nameOf'> {
  readonly line: ChatLine;
  readonly several: boolean;
  onShow(messageId: string): void;
}

function Line({ line, several, nameOf, onShow }: LineProps) {
  switch (line.kind) {
    case 'day':
      return (
        <Text size="xs" className={classes.day}>
          {shownDay(line.at, new Date())}
        </Text>
      );
    case 'message':
      return (
        <Bubble
          message={line.message}
          first={line.first}
          sender={several ? nameOf(line.message.from) : null}
          reactions={line.reactions}
          quotedAuthor={line.quote === null ? null : line.quote.author === 'own' ? t('You') : nameOf(line.quote.author)}
          quoted={line.quote?.message ?? null}
          onShow={onShow}
        />
      );
    case 'reaction':
      return (
        <Text size="xs" className={classes.note} data-message-id={line.message.message_id} data-type="reaction">
          {detachedWords(line.emoji, line.why)}
        </Text>
      );
  }
}

function detachedWords(emoji: string | null, why: Detached): string {
  switch (why) {
    case 'unknown':
      return emoji === null
        ? t('A reaction was removed, on a message that is not on this phone.')
        : t('Reacted with {{emoji}}, on a message that is not on this phone.', { emoji });
    case 'own':
      return emoji === null
        ? t('A reaction was removed, but as if this contact had written the message (from_me was not true), so a phone shows nothing.')
        : t('Reacted with {{emoji}}, but as if this contact had written the message (from_me was not true), so a phone shows nothing.', {
            emoji,
          });
  }
}
