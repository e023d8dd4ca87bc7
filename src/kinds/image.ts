import { defineKind } from './define-kind.ts';
import { caption, mediaUrl, mimeType } from './fields.ts';

/** A picture from a link. */
export const image = defineKind({
  type: 'image',
  summary: 'Send an image',
  description: 'The gateway fetches the file from the link and sends it as a picture, with a caption if one is given.',
  media: { as: 'image', fallbackMimeType: 'image/jpeg' },
  fields: { url: mediaUrl, caption, mime_type: mimeType },
  examples: {
    plain: { url: 'https://example.com/photos/storefront.jpg' },
    captioned: { url: 'https://example.com/photos/order-1042.png', caption: 'Your order, packed and ready', mime_type: 'image/png' },
  },
});
