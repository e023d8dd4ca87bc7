import { defineKind } from './define-kind.ts';
import { mediaUrl } from './fields.ts';
import { mediaOf } from './whatsapp.ts';

/** A voice note from a link. */
export const audio = defineKind({
  type: 'audio',
  summary: 'Send a voice note',
  description: 'Arrives as a voice note, whatever the format of the file. There is no caption and no file name; such fields are ignored.',
  media: 'voice',
  fields: { url: mediaUrl },
  whatsapp(_, context) {
    const { uploaded, mimetype, durationSeconds, waveform } = mediaOf(context);
    return {
      message: {
        audioMessage: {
          ...uploaded,
          mimetype,
          ptt: true,
          // A note of less than half a second would otherwise be shown as one without a length.
          ...(durationSeconds === undefined ? {} : { seconds: Math.max(1, Math.round(durationSeconds)) }),
          ...(waveform === undefined ? {} : { waveform }),
          contextInfo: context.contextInfo,
        },
      },
      type: 'media',
      mediaType: 'ptt',
    };
  },
  examples: {
    recording: { url: 'https://example.com/audio/greeting.ogg' },
    converted: { url: 'https://example.com/audio/appointment-reminder.mp3' },
  },
});
