import { stripPhoneNumber } from '../../../../src/core/phone-number.ts';
import { t } from '../../language/language.ts';
import type { ShownFile } from '../sandbox-phone/message/use-file.ts';

/** A message's own fields, as they are sent. */
type Fields = Readonly<Record<string, unknown>>;

/** Fields that every kind shares; the page has controls of its own for them. */
export const sharedFields: ReadonlySet<string> = new Set(['instance_id', 'to', 'quoted_message_id', 'quoted_from_me']);

/** What the recipient will find in the message: its fields as the server will tidy them. */
export function contentOf(type: string, body: Fields): Fields {
  const own = Object.fromEntries(Object.entries(body).filter(([name]) => !sharedFields.has(name)));
  switch (type) {
    case 'text':
      return { text: String(own.text ?? '').trimEnd() };
    case 'location':
      return { ...own, latitude: Number(own.latitude ?? 0), longitude: Number(own.longitude ?? 0) };
    case 'contact':
      return { ...own, contacts: withDigits(own.contacts) };
    case 'buttons':
      return { ...own, buttons: withDigits(own.buttons) };
    case 'document':
      return { filename: lastOf(own.url), ...own };
    default:
      return own;
  }
}

/** Whether there is anything to show yet. */
export function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every(isBlank);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).every(([name, inside]) => name === 'type' || isBlank(inside));
  return value === undefined || value === null;
}

/**
 * The file of a message that is not sent yet. Only the gateway's own samples are shown: the page loads nothing from elsewhere, and whether a
 * link works is found out when it is sent.
 */
export function fileOf({ url }: Fields, baseUrl: string): ShownFile {
  const samples = `${baseUrl}/samples/`;
  const own = typeof url === 'string' && url.startsWith(samples) && /^[a-z0-9-]+\.[a-z0-9]+$/.test(url.slice(samples.length));
  const host = typeof url === 'string' ? URL.parse(url)?.host : undefined;
  return {
    url: own ? url.slice(baseUrl.length) : null,
    size: null,
    missing: own ? null : host === undefined ? t('No link yet') : t('The file at {{host}}', { host }),
    thumbnail: null,
    ratio: null,
    facts: null,
  };
}

function withDigits(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  return list.map((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('phone_number' in one)) return one;
    return { ...one, phone_number: stripPhoneNumber(String(one.phone_number)) };
  });
}

function lastOf(url: unknown): string | undefined {
  const path = typeof url === 'string' ? URL.parse(url)?.pathname : undefined;
  return path?.split('/').at(-1) || undefined;
}
