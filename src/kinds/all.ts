import { audio } from './audio.ts';
import { buttons } from './buttons.ts';
import { contact } from './contact.ts';
import type { Kind } from './define-kind.ts';
import { document } from './document.ts';
import { image } from './image.ts';
import { list } from './list.ts';
import { location } from './location.ts';
import { poll } from './poll.ts';
import { reaction } from './reaction.ts';
import { sticker } from './sticker.ts';
import { text } from './text.ts';
import { video } from './video.ts';

/** Every message kind, in the order of the docs. A new kind is one file and one line here. */
export const allKinds: readonly Kind[] = [text, image, document, video, audio, sticker, location, contact, poll, reaction, buttons, list];
