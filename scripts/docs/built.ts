import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** What is wrong with the built site, one line each: links and anchors that lead nowhere, and whatever is loaded from elsewhere. */
export function faults(folder: string, base: string): readonly string[] {
  const pages = new Map(globSync('**/*.html', { cwd: folder }).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  const ids = new Map([...pages].map(([path, html]) => [path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]));
  const found = [...pages].flatMap(([path, html]) => {
    const links = [...html.matchAll(/<a\b[^>]* href="([^"]*)"/g)].map(([, href = '']) => unescaped(href));
    const broken = links.filter((href) => !/^(https?|mailto):/.test(href)).filter((href) => !leads(href, path));
    const loaded = [...html.matchAll(/<(?:script|img|link|source)\b[^>]* (?:src|href)="([^"]*)"/g)].map(([, href = '']) => href);
    const missing = loaded.filter((href) => !href.startsWith('data:') && !leads(href, path));
    return [...broken, ...missing].map((href) => `${path}: ${href}`);
  });
  const sheets = globSync('**/*.css', { cwd: folder }).flatMap((path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(/(?:@import|url\()\s*["']?((?:https?:)?\/\/[^"')]+)/g)].map(
      ([, url]) => `${path}: ${url}`,
    ),
  );
  return [...new Set([...found, ...sheets])];

  function leads(href: string, from: string): boolean {
    const [path = '', anchor = ''] = href.replace(/\?.*?(?=#|$)/, '').split('#');
    if (path !== '' && !path.startsWith(base)) return false;
    const file = path === '' ? from : fileOf(decodeURI(path.slice(base.length)));
    if (file === null) return false;
    return anchor === '' || !pages.has(file) || (ids.get(file)?.has(decodeURIComponent(anchor)) ?? false);
  }

  function fileOf(path: string): string | null {
    const tries = [path, `${path}.html`, posix.join(path, 'index.html')].map((one) => posix.normalize(one));
    return tries.find((one) => pages.has(one) || (/\.\w+$/.test(one) && existsSync(join(folder, one)))) ?? null;
  }
}

function unescaped(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
}
