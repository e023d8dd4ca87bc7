import { sampleUrl } from '../samples/index.ts';
import { defineKind } from './define-kind.ts';
import { caption, mediaUrl, mimeType } from './fields.ts';

/** A video from a link. */
export const video = defineKind({
  type: 'video',
  summary: 'Send a video',
  description:
    'MP4 with H.264 video and AAC audio is the most reliable combination. Large files are more likely to take too long and fail.',
  media: { as: 'video', fallbackMimeType: 'video/mp4' },
  fields: { url: mediaUrl, caption, mime_type: mimeType },
  examples: {
    plain: { url: sampleUrl('tour.mp4') },
    captioned: { url: sampleUrl('tour.mp4'), caption: 'A view of the lake', mime_type: 'video/mp4' },
  },
});
