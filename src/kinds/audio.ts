import { defineKind } from './define-kind.ts';
import { mediaUrl } from './fields.ts';

/** A voice note from a link. */
export const audio = defineKind({
  type: 'audio',
  summary: 'Send a voice note',
  description: 'Arrives as a voice note, whatever the format of the file. There is no caption and no file name; such fields are ignored.',
  media: { as: 'voice', fallbackMimeType: 'audio/ogg' },
  fields: { url: mediaUrl },
  examples: {
    recording: { url: 'https://example.com/audio/greeting.ogg' },
    converted: { url: 'https://example.com/audio/appointment-reminder.mp3' },
  },
});
