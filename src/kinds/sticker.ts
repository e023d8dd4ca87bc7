import { sampleUrl } from '../samples/index.ts';
import { defineKind } from './define-kind.ts';
import { mediaUrl } from './fields.ts';

/** A sticker from a link. */
export const sticker = defineKind({
  type: 'sticker',
  summary: 'Send a sticker',
  description: 'WebP is the most reliable format; other formats may arrive as an ordinary image or not appear.',
  media: { as: 'sticker', fallbackMimeType: 'image/webp' },
  fields: { url: mediaUrl },
  examples: {
    webp: { url: sampleUrl('thumbs-up.webp') },
    converted: { url: sampleUrl('mascot.png') },
  },
});
