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

/** The styles of Mantine's components beside their scripts, so that a page loads those of what it shows. While pages are worked on: all of them. */
function mantineStyles(): Plugin {
  const all = ['core', 'notifications', 'spotlight'].map((name) => `import '@mantine/${name}/styles.css';\n`);
  let building = true;
  return {
    name: 'mantine-styles',
    configResolved({ command }) {
      building = command === 'build';
    },
    transform(code, id) {
      if (!building) return id === pagesEntry ? { code: all.join('') + code, map: null } : null;
      const [, library, component] = /@mantine\/(\w+)\/esm\/(?:.*\/)?(\w+)\.module\.mjs$/.exec(id) ?? [];
      if (library === undefined) return null;
      // Only the core has a file of each.
      const styles = library === 'core' ? `core/styles/${component}.css` : `${library}/styles.css`;
      return { code: `import '@mantine/${styles}';\n${code}`, map: null };
    },
  };
}

/** The document names the pages, which wait for their language: their scripts and styles are loaded beside it, not after it. Its own shell waits for neither. */
const namedPages: Plugin = {
  name: 'named-pages',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      if (bundle === undefined) return html;
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const pages = chunks.find(({ facadeModuleId }) => facadeModuleId === pagesEntry);
      if (pages === undefined) throw new Error('the pages were not built');
      const needed = new Set([pages]);
      for (const { imports } of needed) for (const chunk of chunks) if (imports.includes(chunk.fileName)) needed.add(chunk);
      // What is needed by others comes first, as when the styles were one file.
      const styles = new Set([...needed].reverse().flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
      // What the first script needs itself is named by Vite.
      const scripts = [...needed].map(({ fileName }) => fileName).filter((file) => !html.includes(`"/${file}"`));
      return {
        html: html.replace('data-pages="/src/main.tsx"', `data-pages="/${pages.fileName}"`),
        tags: [
          ...[...styles].map((file) => ({ rel: 'preload', as: 'style', href: `/${file}` })),
          ...scripts.map((file) => ({ rel: 'modulepreload', crossorigin: true, href: `/${file}` })),
        ].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const })),
      };
    },
  },
};

/**
 * The scripts, each with what it needs and the ones before it do not have: in this order no two need each other. Without them every part that
 * two pages share would be a file of its own, most of them smaller than what asking for it takes.
 */
const chunkGroups = [
  // What the first script needs: nothing in it may have words, because it runs before the language is known.
  {
    name: 'language',
    test: /\/web\/src\/language\/(?:instance|choice|languages|filled|language)\.ts|\/node_modules\/(?:i18next|react-i18next|html-parse-stringify|void-elements|react|use-sync-external-store)\//,
  },
  // Everything that is not the first script itself.
  { name: 'frame', tags: ['$initial' as const], test: (id: string) => !id.endsWith('/language/start.ts') && !id.endsWith('.html') },
  // What people open first, before what other pages share.
  { name: 'entry', test: /\/web\/src\/pages\/(?:sign-in\/|link\/(?!scan-))/ },
  { name: 'numbers', test: /\/web\/src\/pages\/numbers\/numbers-page\.tsx/ },
  { name: 'home', test: /\/web\/src\/pages\/home\/(?!administered)/ },
  { name: 'parts', test: /\/web\/src\/(?!pages\/)|\/node_modules\//, minShareCount: 2 },
  ...['numbers/pairing', 'numbers', 'account', 'send', 'sandbox-phone', 'activity', 'keys', 'alerts', 'usage', 'operator', 'passkey'].map(
    (area) => ({
      name: area.replace('/', '-'),
      test: new RegExp(`/web/src/pages/${area}/`),
    }),
  ),
].map((group, place, all) => ({ ...group, priority: all.length - place }));

export default defineConfig({
  root: import.meta.dirname,
  plugins: [{ ...leanEnglish, enforce: 'pre' }, mantineStyles(), react(), namedPages],
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
    rolldownOptions: { input: [join(import.meta.dirname, 'index.html'), pagesEntry], output: { codeSplitting: { groups: chunkGroups } } },
    chunkSizeWarningLimit: 700,
  },
});
