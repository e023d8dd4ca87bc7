import { defineKind } from './define-kind.ts';
import { mediaUrl } from './fields.ts';

/** A sticker from a link. */
export const sticker = defineKind({
  type: 'sticker',
  summary: 'Send a sticker',
  description: 'WebP is the most reliable format; other formats may arrive as an ordinary image or not render.',
  media: { as: 'sticker', fallbackMimeType: 'image/webp' },
  fields: { url: mediaUrl },
  examples: {
    webp: { url: 'https://example.com/stickers/thumbs-up.webp' },
    converted: { url: 'https://example.com/stickers/mascot.png' },
  },
});
