/** A piece of HTML. Texts become one through `html` alone, which escapes them. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | null | readonly Part[];

/** Puts HTML together: texts are escaped, pieces of HTML and lists of them are taken as they are, null is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.map((string, index) => (index === 0 ? string : `${written(parts[index - 1] ?? null)}${string}`)).join('') };
}

function written(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'html' in part ? part.html : part.map(written).join('');
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The text as it may stand in HTML, between tags or in an attribute in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign);
}
