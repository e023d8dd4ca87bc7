import { sampleUrl } from '../samples/index.ts';
import { defineKind } from './define-kind.ts';
import { caption, mediaUrl, mimeType } from './fields.ts';

/** A picture from a link. */
export const image = defineKind({
  type: 'image',
  summary: 'Send an image',
  description:
    'The gateway downloads the file from the link and sends it as a picture, with a caption if you give one. Formats that phones do not show become JPEG or PNG, and an animated GIF plays in a loop.',
  media: { as: 'image', fallbackMimeType: 'image/jpeg' },
  fields: { url: mediaUrl, caption, mime_type: mimeType },
  examples: {
    plain: { url: sampleUrl('photo.jpg') },
    captioned: { url: sampleUrl('parcel.png'), caption: 'Your order, packed and ready', mime_type: 'image/png' },
  },
});
