import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

const root = join(import.meta.dirname, '../..');

/** Invisible, and left out of what tests find by its name. */
const mark = '\u200b';

/** Whose place the marked language takes: it has the plural forms of English, and one more. */
const instead = 'es';

const texts = (folder: string, language: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(root, folder, `${language}.json`), 'utf8')).translation;

/** What somebody entered, what is nobody's word, and what the server says in the language; the rest of a text must be marked. */
const namesAndFigures = [
  // The built-in plans and provider, and what is in the bakery's chats.
  /\b(?:trial|starter|business|scale|default)\b/g,
  /Your bread is ready\.|We keep it until(?: 18:00\.)?|Order 1042 is ready\. See/g,
  // Addresses, ids, keys, names of fields.
  /\S+@\S+/g,
  /\b\w+:\/\/\S*/g,
  /\b[\w-]+(?:\.[\w-]+)+\b/g,
  /\bmgw_\w+/g,
  /\b(?=\w*\d)[\da-f-]{8,}\b/g,
  /\b[a-z]+(?:_[a-z]+)+\b/g,
  /\bYOUR_API_KEY\b/g,
  // Names, of people as two letters too, and of time zones.
  /^\p{Lu}{2}$/gu,
  /\b[A-Z]\w+(?:\/[A-Z][\w-]+)+/g,
  /\b(?:WhatsApp|SQLite|PostgreSQL|Chrome|Chromium|HeadlessChrome|Linux|Messaging Gateway|Node\.js|ffmpeg|ffprobe|TLS|WebP|PNG|JPEG|CSV|curl|TypeScript|Python|PHP|UTC|Ctrl K)\b/g,
  /\b(?:English|Português \(Brasil\)|Español|Bahasa Indonesia)/g,
  // Dates, spans and sizes, as `Intl` writes them.
  /\b(?:hace|dentro de) \d[\d.,]*\s?\p{L}+\.?/gu,
  /\b(?:ene|feb|mar|abr|may|jun|jul|ago|sept?|oct|nov|dic)\b\.?/gi,
  /\b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|de|y)\b/gi,
  /\b(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b/gi,
  /\b\d[\d.,]*\s?(?:ms|s|h|min|kB|MB|MiB|KB)\b/g,
];

/** The server's own texts are translated for real: the marks are the portal's. Pages may begin them with a capital. */
const saidByServer = Object.values(texts('src/language/locales', instead)).toSorted((one, other) => other.length - one.length);
const pattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\\\{\\\{\w+\\\}\\\}/g, '.*?');
const ofServer = saidByServer.map((text) => new RegExp(pattern(text), 'gi'));
/** What one ends with, a path for example, is known only where nothing else stands. One without words would be anything. */
const wholeOfServer = saidByServer
  .filter((text) => /\p{L}/u.test(text.replaceAll(/\{\{\w+\}\}/g, '')))
  .map((text) => new RegExp(`^${pattern(text)}$`, 'is'));

/** Run in the page: every text and every spoken name on it, but for code, what is marked as being in a language of its own, messages, and mistakes that the API tells. */
const collect = `(() => {
  const found = [];
  const apart = 'code, pre, script, noscript, style, textarea, [lang]:not(html), [translate="no"], [class*="bubble"], [class*="Input-error"], [class*="InputWrapper-error"]';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.currentNode; node !== null; node = walker.nextNode()) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (element === null || element.closest(apart) !== null) continue;
    if (node === element) for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext', 'aria-description'])
      found.push(element.getAttribute(name) ?? '');
    else found.push(node.data);
  }
  return [document.title, ...found];
})()`;

/** Marked at its end, and before each tag, where a piece of it ends. */
const marked = (text: string): string => text.replaceAll(/<[^>]*>/g, (tag) => mark + tag) + mark;

/** Has a browser's pages speak a language in which every text is the English one with an invisible mark. */
export async function speakMarked(context: BrowserContext): Promise<void> {
  const keys = Object.keys(texts('web/src/language/locales', instead));
  // A key is the English text, with a plural form or a context behind it.
  const catalogue = Object.fromEntries(keys.map((key) => [key, marked(key.replace(/_[a-z]+$/, ''))]));
  const body = `export const translation = ${JSON.stringify(catalogue)};\nexport default { translation };\n`;
  await context.route(new RegExp(`/assets/${instead}-[^/]+\\.js$`), (route) => route.fulfill({ contentType: 'text/javascript', body }));
  await context.addInitScript(`if (origin !== 'null') localStorage.setItem('language', ${JSON.stringify(instead)})`);
}

/** The texts of a page that no catalogue has. `entered` are those that somebody entered. */
export async function unmarked(page: Page, entered: readonly string[]): Promise<string[]> {
  const all: string[] = await page.evaluate(collect);
  const wordless = (text: string) => {
    if (wholeOfServer.some((whole) => whole.test(text.trim()))) return true;
    // A text with marks of formatting is shown in pieces.
    if (text.trim().length > 3 && saidByServer.some((whole) => whole.includes(text.trim()))) return true;
    let rest = text;
    for (const one of entered) rest = rest.replaceAll(one, '');
    for (const pattern of [...ofServer, ...namesAndFigures]) rest = rest.replaceAll(pattern, '');
    return !/\p{L}/u.test(rest);
  };
  return [...new Set(all)].filter((text) => !text.includes(mark) && !wordless(text)).map((text) => `not translated: ${text.trim()}`);
}
