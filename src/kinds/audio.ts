import { sampleUrl } from '../samples/index.ts';
import { defineKind } from './define-kind.ts';
import { mediaUrl } from './fields.ts';

/** A voice note from a link. */
export const audio = defineKind({
  type: 'audio',
  summary: 'Send a voice note',
  description: 'Arrives as a voice note, whatever the file format. Voice notes have no caption or file name.',
  media: { as: 'voice', fallbackMimeType: 'audio/ogg' },
  fields: { url: mediaUrl },
  examples: {
    recording: { url: sampleUrl('greeting.ogg') },
    converted: { url: sampleUrl('reminder.mp3') },
  },
});
