import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const pagesEntry = join(import.meta.dirname, 'src/main.tsx');

/** The English catalogue without what its keys say already: only plural forms are left of it. */
const leanEnglish: Plugin = {
  name: 'lean-english',
  transform(code, id) {
    if (!id.endsWith('/language/locales/en.json')) return null;
    const { translation } = JSON.parse(code) as { readonly translation: Readonly<Record<string, string>> };
    return {
      code: JSON.stringify({ translation: Object.fromEntries(Object.entries(translation).filter(([key, text]) => key !== text)) }),
      map: null,
    };
  },
};

/** The document names the pages, which wait for their language: their scripts and styles are loaded beside it, not after it. */
const namedPages: Plugin = {
  name: 'named-pages',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      if (bundle === undefined) return html;
      const pages = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId === pagesEntry);
      if (pages?.type !== 'chunk') throw new Error('the pages were not built');
      const styles = [...(pages.viteMetadata?.importedCss ?? [])].map((file) => ({ rel: 'stylesheet', href: `/${file}` }));
      // What the first script needs itself is named by Vite.
      const scripts = [pages.fileName, ...pages.imports]
        .filter((file) => !html.includes(`"/${file}"`))
        .map((file) => ({ rel: 'modulepreload', crossorigin: true, href: `/${file}` }));
      return {
        html: html.replace('data-pages="/src/main.tsx"', `data-pages="/${pages.fileName}"`),
        tags: [...styles, ...scripts].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const })),
      };
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [{ ...leanEnglish, enforce: 'pre' }, react(), namedPages],
  // While pages are worked on: everything that is not a page comes from a gateway that runs beside.
  server: {
    // The snippet for the browser's console is the extension's own text.
    fs: { allow: ['..'] },
    proxy: Object.fromEntries(
      ['/portal', '/v1', '/sandbox/', '/docs', '/openapi.json', '/health'].map((path) => [
        path,
        { target: process.env.GATEWAY ?? 'http://127.0.0.1:3000', changeOrigin: false },
      ]),
    ),
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Images and fonts stay files: the pages' security policy wants them from the server.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: [join(import.meta.dirname, 'index.html'), pagesEntry] },
    chunkSizeWarningLimit: 700,
  },
});
