/**
 * The text with an apostrophe before whatever a spreadsheet would run as a formula (OWASP, "CSV Injection"). Not only at its beginning: where
 * semicolons or tabs separate cells, as in much of Europe, quotes do not hold the text together, and a cell begins in the middle of it.
 */
export function withoutFormulas(text: string): string {
  return text.replace(/(?<=^|[,;\t\r\n])(?=[\t\r]|(?:"|[^\S\t\r\n])*[=+\-@＝＋－＠])/g, "'");
}
