import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Chapter, chapters } from './contents.ts';
import { asPage } from './markdown.ts';
import type { ApiDocument } from './openapi.ts';
import { reference } from './reference.ts';

/** The site before it is built: its menu, the text of each page, and the files that pages lead to. */
export interface Site {
  readonly chapters: readonly Chapter[];
  /** By path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files of the repository, by the address of their copy. */
  readonly files: ReadonlyMap<string, string>;
}

/** Made from the documents of this repository. Throws for a link to what is not there. */
export function makeSite(root: string): Site {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const api = reference(JSON.parse(read('docs/openapi.json')) as ApiDocument);
  const bySource = new Map(chapters.flatMap(({ pages }) => pages.map(({ source = '', path }) => [source, path] as const)));
  const files = new Map<string, string>();

  /** A page of the site, or a copy of the file; a folder has no address there. */
  const target = (file: string, anchor: string): string | null => {
    const path = bySource.get(file);
    if (path !== undefined) return `/${path}${anchor === '' ? '' : `#${anchor}`}`;
    if (statSync(join(root, file)).isDirectory()) return null;
    const address = copyAddress(file);
    files.set(address, file);
    return address;
  };
  const documents = [...bySource].map(([source, path]) => [path, asPage(read(source), source, target)] as const);
  return { chapters: [...chapters, ...api.chapters], texts: new Map([...documents, ...api.texts]), files };
}

/** Browsers show pictures and JSON; whatever else there is, they show as text. */
function copyAddress(file: string): string {
  const shown = /\.(png|json)$/.test(file) ? file : `${file}.txt`;
  return `/files/${shown.replaceAll(/(^|\/)\./g, '$1')}`;
}

/** Writes the site to where VitePress looks for it, and what assistants read (llms.txt) beside the files. */
export function writeSite(root: string, folder: string, { chapters: menu, texts, files }: Site): void {
  rmSync(folder, { recursive: true, force: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('menu.json', JSON.stringify(menu));
  for (const [path, text] of texts) {
    write(`${path}.md`, text);
    write(`public/${path}.md`, text);
  }
  for (const [address, file] of files) {
    const copy = join(folder, 'public', address);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(join(root, file), copy);
  }
  write('public/llms.txt', llms(menu, texts));
  write('public/llms-full.txt', [...texts.values()].map((text) => text.trim()).join('\n\n---\n\n'));
}

/** The list of pages for assistants (llmstxt.org): a heading, a sentence, and links to the pages as Markdown. */
function llms(menu: readonly Chapter[], texts: ReadonlyMap<string, string>): string {
  const [first = ''] = (texts.get('index') ?? '').split('\n').filter((line) => /^\w/.test(line));
  const sections = menu.map(({ title, pages }) => {
    const lines = pages.map(({ path, title: words }) => `- [${words}](${path}.md)`);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `# messaging-gateway\n\n> ${first}\n\nAll pages in one file: [llms-full.txt](llms-full.txt). The API as OpenAPI 3.1: [openapi.json](${relative('/', copyAddress('docs/openapi.json'))}).\n\n${sections.join('\n\n')}\n`;
}
