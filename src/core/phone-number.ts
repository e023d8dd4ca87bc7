// Imports nothing: the portal's pages use it too.

const number = /^[1-9][0-9]{5,14}$/;

/** How people write and paste numbers: spaces, dashes and brackets of every kind, and characters that nobody sees (bidi marks among them). */
const decoration = /[\p{White_Space}\p{Dash}\p{Ps}\p{Pe}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** `+` and its narrow, wide, raised and lowered forms. */
const leadingPlus = /^[+\uff0b\ufe62\u207a\u208a]/;

const foreignDigit = /(?![0-9])\p{Nd}/gu;
const decimalDigit = /^\p{Nd}$/u;

/** Numbers as people write them have some decoration between their digits, not hundreds; the bound keeps the work constant. */
const longest = 256;

/** The text without what is written around the digits of a number and without a leading plus, digits of every script as 0 to 9 (decisions §1). */
export function stripPhoneNumber(text: string): string {
  return text.replace(decoration, '').replace(leadingPlus, '').replace(foreignDigit, decimalValue);
}

/** The digits of a number in international form: 6 to 15 of them, no leading zero; null when it is not one. */
export function normalisePhoneNumber(text: string): string | null {
  if (text.length > longest) return null;
  // As programs write it, it needs nothing stripped.
  if (number.test(text)) return text;
  const digits = stripPhoneNumber(text);
  return number.test(digits) ? digits : null;
}

/** Unicode encodes the digits of each script from zero to nine in a row; some of these rows follow directly on each other. */
function decimalValue(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let first = point;
  while (decimalDigit.test(String.fromCodePoint(first - 1))) first--;
  return String((point - first) % 10);
}
