import { GatewayError } from '../../core/index.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
}

/** What is at a path such as `key.id`. */
export function fieldAt(fields: Fields, path: string): unknown {
  let value: unknown = fields;
  for (const name of path.split('.')) value = fieldsOf(value)[name];
  return value;
}

/** Each item of a list translated; what is no list stays as it is, for the endpoint to refuse. */
export function eachOf(value: unknown, translate: (item: Fields) => Fields): unknown {
  return Array.isArray(value) ? value.map((item) => translate(fieldsOf(item))) : value;
}

/** Many clients write an optional field that they have nothing for as null or as an empty text. */
export function given(value: unknown): unknown {
  return value === null || value === '' ? undefined : value;
}

/** The phone number in what may be the id of a chat (`491701234567@s.whatsapp.net`). Throws GatewayError for chats that are not with one person. */
export function phoneNumberIn(value: unknown, field: string): unknown {
  if (typeof value !== 'string') return value;
  const [user = '', server] = value.trim().split('@');
  if (server !== undefined && server !== 's.whatsapp.net' && server !== 'c.us') {
    throw new GatewayError(
      'invalid_request',
      `${field} must be the phone number of a person; groups, channels, status and LIDs cannot be written to here.`,
      { field },
    );
  }
  return user.replace(/:[0-9]+$/, '');
}

/** Longer than a short wrong link, shorter than any file. */
const shortestFile = 64;
const base64Pattern = /^[A-Za-z0-9+/_=\s-]+$/;

/** The value, which may be a link. Throws GatewayError for a file in its place. */
export function linkIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (!/^data:/i.test(value) && (value.length < shortestFile || !base64Pattern.test(value))) return value;
  throw new GatewayError('invalid_media_url', `url must be a link, not a file in base64. ${linkAdvice}`, { field: 'url' });
}

export const linkAdvice = 'Put the file where the gateway can fetch it over http or https, and give its link.';
