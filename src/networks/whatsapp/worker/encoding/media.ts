import type { Contents } from '../../../../kinds/index.ts';
import type { WhatsAppContext, WhatsAppMedia, WhatsAppMessage } from './encoded-message.ts';

/** A picture; one that moves is a video that plays in a loop. */
export function image({ caption }: Contents['image'], context: WhatsAppContext): WhatsAppMessage {
  const media = mediaOf(context);
  if (media.looping === true)
    return { message: { videoMessage: { ...film(media, caption, context), gifPlayback: true } }, type: 'media', mediaType: 'gif' };
  const { uploaded, mimetype } = media;
  const { contextInfo } = context;
  return {
    message: { imageMessage: { ...uploaded, mimetype, ...preview(media), ...(caption ? { caption } : {}), contextInfo } },
    type: 'media',
    mediaType: 'image',
  };
}

export function video({ caption }: Contents['video'], context: WhatsAppContext): WhatsAppMessage {
  return { message: { videoMessage: film(mediaOf(context), caption, context) }, type: 'media', mediaType: 'video' };
}

function film(media: WhatsAppMedia, caption: string | undefined, { contextInfo }: WhatsAppContext) {
  const { uploaded, mimetype, durationSeconds } = media;
  return {
    ...uploaded,
    mimetype,
    ...preview(media),
    ...(durationSeconds === undefined ? {} : { seconds: Math.round(durationSeconds) }),
    ...(caption ? { caption } : {}),
    contextInfo,
  };
}

/** A voice note. */
export function audio(_: Contents['audio'], context: WhatsAppContext): WhatsAppMessage {
  const { uploaded, mimetype, durationSeconds, waveform } = mediaOf(context);
  return {
    message: {
      audioMessage: {
        ...uploaded,
        mimetype,
        ptt: true,
        // Rounded to 0 seconds, a very short note would be shown without a length.
        ...(durationSeconds === undefined ? {} : { seconds: Math.max(1, Math.round(durationSeconds)) }),
        ...(waveform === undefined ? {} : { waveform }),
        contextInfo: context.contextInfo,
      },
    },
    type: 'media',
    mediaType: 'ptt',
  };
}

export function sticker(_: Contents['sticker'], context: WhatsAppContext): WhatsAppMessage {
  const { uploaded, mimetype, width, height, animated } = mediaOf(context);
  return {
    message: {
      stickerMessage: {
        ...uploaded,
        mimetype,
        ...(width === undefined || height === undefined ? {} : { width, height }),
        isAnimated: animated ?? false,
        contextInfo: context.contextInfo,
      },
    },
    type: 'media',
    mediaType: 'sticker',
  };
}

export function document({ filename: fileName, caption }: Contents['document'], context: WhatsAppContext): WhatsAppMessage {
  const { uploaded, mimetype } = mediaOf(context);
  const documentMessage = {
    ...uploaded,
    mimetype,
    fileName,
    title: fileName,
    contextInfo: context.contextInfo,
  };
  return {
    // Phones show a document's caption only inside this wrapper.
    message: caption
      ? { documentWithCaptionMessage: { message: { documentMessage: { ...documentMessage, caption } } } }
      : { documentMessage },
    type: 'media',
    mediaType: 'document',
  };
}

/** The uploaded file of a media kind. Throws when there is none, which cannot happen after the earlier checks. */
function mediaOf({ media }: WhatsAppContext): WhatsAppMedia {
  if (media === null) throw new Error('a media kind was encoded without its file');
  return media;
}

/** The preview picture and the size in pixels, as far as they are known. */
function preview({ width, height, thumbnail }: WhatsAppMedia) {
  return {
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...(thumbnail === undefined ? {} : { jpegThumbnail: thumbnail }),
  };
}
