import { z } from 'zod';
import { normalisePhoneNumber } from '../core/index.ts';

/** Limits of the fields that several kinds share (contract, "Limits"). */
export const mediaUrlLength = 2048;

/** The number of Unicode code points: what every length limit of the API counts (decisions §1). */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Whether a recipient could get this text: half of a surrogate pair is no character in any encoding. */
export function isText(value: string): boolean {
  return value.isWellFormed();
}

/** Whether every store could keep this text: PostgreSQL keeps none with U+0000. */
export function isStorableText(value: string): boolean {
  return isText(value) && !value.includes('\0');
}

/** A string of `min` to `max` characters; JSON Schema counts its lengths in code points too. */
export function text(min: number, max: number) {
  const expected = min === 0 ? `must be at most ${max} characters` : `must be ${min} to ${max} characters`;
  return z
    .string()
    .refine(
      (value) => {
        // A code point is one or two UTF-16 units, so most strings need no counting and hostile ones never get it.
        if (value.length <= max && value.length >= min * 2) return true;
        if (value.length < min || value.length > max * 2) return false;
        const length = characters(value);
        return length >= min && length <= max;
      },
      { error: expected },
    )
    .meta(min === 0 ? { maxLength: max } : { minLength: min, maxLength: max });
}

/** A list of `min` to `max` items. One that is too long is refused before any item is looked at. */
export function list<Item extends z.ZodType>(item: Item, min: number, max: number) {
  return z
    .array(item)
    .min(min, { error: `must have ${min} to ${max} items` })
    .max(max, { error: `must have ${min} to ${max} items` });
}

/** An instance id in a body; any UUID version counts, in any letter case, and is parsed to lower case. */
export const instanceId = z.guid({ error: 'must be a UUID' }).toLowerCase();

/** A phone number inside a message, written as people do and parsed to its digits; `minDigits` to 15 of them. */
export function phoneNumber(minDigits: number) {
  return z
    .string()
    .transform((value, context) => {
      const digits = normalisePhoneNumber(value);
      if (digits !== null && digits.length >= minDigits) return digits;
      context.addIssue(`must be a phone number with country code: ${minDigits} to 15 digits, no leading zero`);
      return z.NEVER;
    })
    .meta({
      minLength: minDigits,
      description: `A phone number with country code, ${minDigits} to 15 digits, no leading zero. Spaces, dashes, brackets and a leading + are ignored.`,
    });
}

/** The link of a media kind. Only its presence is checked here; the address guard judges the link itself and answers `invalid_media_url`. */
export const mediaUrl = z.string().meta({
  format: 'uri',
  maxLength: mediaUrlLength,
  description: 'A public http(s) link straight to the file, without a user name or password.',
});

/** The type a media file is sent as. */
export const mimeType = text(0, 128)
  .regex(/^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+$/, { error: 'must have the form type/subtype' })
  .optional()
  .meta({ description: "The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out from the file." });

/** The text under a picture, video or document. */
export const caption = text(0, 1024).optional().meta({ description: 'Text shown with the file. Formatting markers work here too.' });
