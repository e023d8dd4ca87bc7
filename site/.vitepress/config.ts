import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import type { Chapter } from '../../scripts/docs/contents.ts';
import { anchorOf } from '../../scripts/docs/markdown.ts';

// The pages are made by scripts/docs (npm run docs).
const menu: readonly Chapter[] = JSON.parse(readFileSync(new URL('../pages/menu.json', import.meta.url), 'utf8'));

export default defineConfig({
  title: 'messaging-gateway',
  description: 'Sends WhatsApp messages from linked numbers over HTTP, exactly once',
  lang: 'en',
  // No request for an icon that there is not.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  base: process.env.DOCS_BASE ?? '/',
  srcDir: 'pages',
  srcExclude: ['public/**'],
  outDir: 'dist',
  cacheDir: '.cache',
  markdown: { anchor: { slugify: anchorOf }, toc: { slugify: anchorOf }, headers: { slugify: anchorOf } },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/server' },
      { text: 'API', link: '/reference/' },
      { text: 'Coming from', link: '/coming-from/evolution-api' },
    ],
    sidebar: menu.map(({ title, pages }) => ({
      text: title,
      collapsed: title.startsWith('API: '),
      items: pages.map(({ title: text, path }) => ({ text, link: `/${path.replace(/index$/, '')}` })),
    })),
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
