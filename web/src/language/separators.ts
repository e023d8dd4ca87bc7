/** What a number has between its thousands and before its decimals in this locale, named as fields for numbers take them. */
export function separators(locale: string): { readonly thousandSeparator: string; readonly decimalSeparator: string } {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.8);
  const written = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value ?? '';
  return { thousandSeparator: written('group'), decimalSeparator: written('decimal') };
}
