import {
  IconChartBar,
  IconFile,
  IconForms,
  IconList,
  IconMapPin,
  IconMicrophone,
  IconMoodSmile,
  IconPhoto,
  IconSticker,
  IconUser,
  IconVideo,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { SandboxChatMessage } from '../../../../../src/portal/wire/sandbox.ts';
import { t } from '../../../language/language.ts';
import { type Piece, parseFormatting } from '../formatting/parse.ts';
import { partsIn, textIn } from './content-fields.ts';
import classes from './summary.module.css';

type Icon = ComponentType<{ size: number; 'aria-hidden': true; className?: string | undefined }>;
type Summarised = Pick<SandboxChatMessage, 'type' | 'content'>;

/** Longer than any line. */
const shown = 200;

const icons: Readonly<Record<SandboxChatMessage['type'], Icon | null>> = {
  text: null,
  image: IconPhoto,
  document: IconFile,
  video: IconVideo,
  audio: IconMicrophone,
  sticker: IconSticker,
  location: IconMapPin,
  contact: IconUser,
  poll: IconChartBar,
  reaction: IconMoodSmile,
  buttons: IconForms,
  list: IconList,
};

/** A message in one line, for lists and quotes. */
export function Summary({ message }: { readonly message: Summarised }) {
  const Icon = icons[message.type];
  return (
    <span className={classes.summary}>
      {Icon !== null && <Icon size={16} aria-hidden className={classes.icon} />}
      <bdi className={classes.words}>{summaryOf(message)}</bdi>
    </span>
  );
}

function summaryOf({ type, content }: Summarised): string {
  switch (type) {
    case 'text':
      return plain(textIn(content, 'text'));
    case 'image':
      return plain(textIn(content, 'caption')) || t('Photo');
    case 'video':
      return plain(textIn(content, 'caption')) || t('Video');
    case 'document':
      return textIn(content, 'filename') ?? t('Document');
    case 'audio':
      return t('Voice message');
    case 'sticker':
      return t('Sticker');
    case 'location':
      return textIn(content, 'name') ?? t('Location');
    case 'contact': {
      const [first, ...others] = partsIn(content, 'contacts');
      const name = (first === undefined ? null : textIn(first, 'full_name')) ?? t('Contact');
      return others.length === 0 ? name : t('{{name}} and {{more}} more', { name, more: others.length });
    }
    case 'poll':
      return textIn(content, 'question') ?? t('Poll');
    case 'reaction': {
      const emoji = textIn(content, 'emoji');
      return emoji === null ? t('Reaction removed') : t('Reacted with {{emoji}}', { emoji });
    }
    case 'buttons':
    case 'list':
      return plain(textIn(content, 'title'));
  }
}

/** The beginning of a text, without its formatting characters. */
function plain(text: string | null): string {
  return text === null ? '' : parseFormatting(text.slice(0, shown)).map(wordsOf).join('');
}

function wordsOf(piece: Piece): string {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'link':
      return piece.url;
    default:
      return piece.inside.map(wordsOf).join('');
  }
}
