import { audio } from './audio.ts';
import { buttons } from './buttons.ts';
import { contact } from './contact.ts';
import type { Kind, MessageType } from './define-kind.ts';
import { document } from './document.ts';
import { image } from './image.ts';
import { list } from './list.ts';
import { location } from './location.ts';
import { poll } from './poll.ts';
import { reaction } from './reaction.ts';
import { sticker } from './sticker.ts';
import { text } from './text.ts';
import { video } from './video.ts';

const kinds = { text, image, document, video, audio, sticker, location, contact, poll, reaction, buttons, list } satisfies {
  readonly [Type in MessageType]: Kind;
};

/** The canonical content of each kind. */
export type Contents = { readonly [Type in MessageType]: ReturnType<(typeof kinds)[Type]['content']> };

/** Every message kind, in the order of the docs. A new kind is one file and its name above. */
export const allKinds: readonly Kind[] = Object.values(kinds);
