import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const pages = globSync(['*.md', '{docs,test,packages/*,web/src}/**/*.md'], { cwd: root, exclude: (path) => path.endsWith('node_modules') });
const read = (page: string) => readFileSync(join(root, page), 'utf8');
/** Without its blocks of code. */
const prose = (page: string) => read(page).replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The addresses that GitHub gives to the headings of a page. */
function anchors(page: string): string[] {
  return [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the documents', () => {
  it.each(pages)('%s links only to what is there', (page) => {
    const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^(https?|mailto):/.test(link));
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : relative(root, join(root, dirname(page), path));
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchors(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('those that everybody reads stay short', () => {
    const most = { 'CONTRIBUTING.md': 8 * 1024, 'docs/performance.md': 8 * 1024, 'README.md': 12 * 1024 };
    for (const [page, bytes] of Object.entries(most)) expect([page, Buffer.byteLength(read(page)) <= bytes]).toEqual([page, true]);
  });
});
