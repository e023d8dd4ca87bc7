import { isUuid, normalisePhoneNumber, stripPhoneNumber } from '../core/index.ts';

/** What a text that somebody looks for can be; null and false where it cannot be that. */
export interface LooksLike {
  /** A whole id or the beginning of one, in lower case. */
  readonly id: string | null;
  /** A phone number with country code. */
  readonly phone: string | null;
  /** Some digits of a phone number. */
  readonly digits: string | null;
  readonly messageId: string | null;
  /** The part of a key that may be shown. */
  readonly keyPrefix: string | null;
  /** Part of a name, label or address. */
  readonly words: string | null;
}

const idShape = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';
const shortestId = 8;
const keyPrefixLength = 'mgw_'.length + 8;

/** What the text can be, so that only there is looked for it. */
export function looksLike(text: string): LooksLike {
  const asked = text.trim();
  const id = isIdOrPart(asked) ? asked.toLowerCase() : null;
  const isKey = asked.startsWith('mgw_');
  // Dots between digits are no part of a number for the API, but people write them.
  const digits = stripPhoneNumber(asked.replaceAll('.', ''));
  return {
    id,
    phone: normalisePhoneNumber(asked),
    digits: /^[0-9]{3,40}$/.test(digits) ? digits : null,
    messageId: !isKey && !isUuid(asked) && /^[A-Za-z0-9_=+/-]{8,128}$/.test(asked) ? asked : null,
    keyPrefix: isKey ? asked.slice(0, keyPrefixLength) : null,
    words: isKey || isUuid(asked) || asked.length < 2 ? null : asked,
  };
}

function isIdOrPart(text: string): boolean {
  if (text.length < shortestId || text.length > idShape.length) return false;
  return [...text].every((letter, place) => (idShape[place] === '-' ? letter === '-' : /[0-9a-f]/i.test(letter)));
}
