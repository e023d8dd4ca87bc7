/** Names of media types that are in use, and the name that phones know the same format by. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['image/jpg', 'image/pjpeg', 'image/x-jpeg', 'image/x-jpg'],
  'image/png': ['image/x-png', 'image/apng', 'image/vnd.mozilla.apng'],
  'image/webp': ['image/x-webp'],
  'image/bmp': ['image/x-bmp', 'image/x-ms-bmp'],
  'image/tiff': ['image/tif', 'image/x-tiff'],
  'audio/mpeg': ['audio/mp3', 'audio/x-mp3', 'audio/x-mpeg', 'audio/mpeg3', 'audio/x-mpeg-3'],
  'audio/mp4': ['audio/m4a', 'audio/x-m4a'],
  'audio/wav': ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
  'audio/ogg': ['audio/x-ogg', 'audio/opus'],
  'audio/ac3': ['audio/vnd.dolby.dd-raw'],
  'video/mp4': ['video/x-mp4', 'video/x-m4v'],
  'video/quicktime': ['video/mov', 'video/x-quicktime'],
  'video/x-matroska': ['video/matroska', 'video/mkv'],
  'video/x-msvideo': ['video/avi', 'video/msvideo', 'video/vnd.avi'],
  'video/mpeg': ['video/mpg', 'video/mp1s', 'video/mp2p'],
  'application/pdf': ['application/x-pdf', 'application/acrobat'],
  'application/zip': ['application/x-zip', 'application/x-zip-compressed'],
  'application/json': ['text/json'],
  'application/xml': ['text/xml'],
  'text/csv': ['text/x-csv', 'application/csv', 'application/x-csv'],
  'text/vcard': ['text/x-vcard'],
};

const names = new Map(Object.entries(aliases).flatMap(([name, others]) => others.map((other) => [other, name] as const)));

/** The usual name of a media type, in lower case except for its parameters. */
export function usualName(type: string): string {
  const [bare = '', ...parameters] = type.split(';');
  const lower = bare.trim().toLowerCase();
  return [names.get(lower) ?? lower, ...parameters].join(';');
}
