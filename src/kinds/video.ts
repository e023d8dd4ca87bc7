import { defineKind } from './define-kind.ts';
import { caption, mediaUrl, mimeType } from './fields.ts';

/** A video from a link. */
export const video = defineKind({
  type: 'video',
  summary: 'Send a video',
  description:
    'MP4 with H.264 video and AAC audio is the most reliable combination; large files make a 502 upstream_unavailable timeout more likely.',
  media: { as: 'video', fallbackMimeType: 'video/mp4' },
  fields: { url: mediaUrl, caption, mime_type: mimeType },
  examples: {
    plain: { url: 'https://example.com/videos/assembly.mp4' },
    captioned: { url: 'https://example.com/videos/tour.mp4', caption: 'A one-minute tour of the flat', mime_type: 'video/mp4' },
  },
});
