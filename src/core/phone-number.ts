/** Spaces, dashes, brackets (of any usual kind) and a leading plus are how people write numbers; nothing else is stripped. */
const decoration = /[\s\u00a0\u2010-\u2015()[\]-]/g;

/** The text without spaces, dashes, brackets and one leading `+` (contract, "Shared request fields"). */
function stripDecoration(text: string): string {
  const bare = text.replace(decoration, '');
  return bare.startsWith('+') ? bare.slice(1) : bare;
}

/** The digits of a number in international form: 6 to 15 of them, no leading zero; null when it is not one. */
export function normalisePhoneNumber(text: string): string | null {
  // Longer input cannot be a number; the bound keeps the work constant.
  if (text.length > 64) return null;
  const digits = stripDecoration(text);
  return /^[1-9][0-9]{5,14}$/.test(digits) ? digits : null;
}
