import { dirname, posix } from 'node:path';

/** The anchor that GitHub gives to a heading, and the docs site too. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The text without its blocks of code. */
export function prose(markdown: string): string {
  return markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
}

/** The anchors of a page. */
export function anchors(markdown: string): string[] {
  return [...prose(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

/** A block of code and the language that it names. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
}

/** The blocks of code of a page, without the spaces that they are indented by. */
export function codeBlocks(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^\1```$/gm)].map(([, indent = '', language = '', code = '']) => ({
    language,
    code: indent === '' ? code : code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** What becomes of a link to another file: its new address, or null where only its words stay. */
export type LinkTarget = (file: string, anchor: string) => string | null;

/** A document as a page of the site: links to files lead to pages and copies of files, and pictures of diagrams as text are left out. */
export function asPage(markdown: string, source: string, target: LinkTarget): string {
  const withoutDiagrams = markdown.replaceAll(/^```mermaid\n[\s\S]*?^```\n+/gm, '');
  return outsideCode(withoutDiagrams, (text) =>
    text
      .replaceAll('{{', '&#123;&#123;')
      .replaceAll(/(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, picture: string, words: string, link: string) => {
        if (/^(https?|mailto):|^#/.test(link)) return whole;
        const [path = '', anchor = ''] = link.split('#');
        const address = target(posix.normalize(posix.join(dirname(source), path)), anchor);
        return address === null ? words : `${picture}[${words}](${address})`;
      }),
  );
}

/** Changes what is neither in a block of code nor in code within a line. */
function outsideCode(markdown: string, change: (text: string) => string): string {
  const parts = markdown.split(/(^ *```[\s\S]*?^ *```$)/m);
  return parts.map((part, index) => (index % 2 === 1 ? part : changeLines(part, change))).join('');
}

/** Changes all but code; code among the words of a link is put back into them. */
function changeLines(text: string, change: (text: string) => string): string {
  const kept: string[] = [];
  const masked = text.replaceAll(/`[^`\n]+`/g, (code) => `\uE000${kept.push(code) - 1}\uE000`);
  return change(masked).replaceAll(/\uE000(\d+)\uE000/g, (_, index: string) => kept[Number(index)] ?? '');
}

/** Text for a cell of a table, or a sentence, that is not Markdown of ours: nothing in it is HTML or ends the cell. */
export function plain(text: string): string {
  return changeLines(text, (words) => words.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;'))
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');
}
