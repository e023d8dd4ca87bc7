import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

const pagesEntry = join(import.meta.dirname, 'src/main.tsx');

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

/** The pages that people open first, by the document that names their scripts and styles too. Those of operators have the same ones. */
const firstPages = {
  'home.html': 'home/home-page.tsx',
  'sign-in.html': 'sign-in/sign-in-page.tsx',
  'operator.html': 'operator/accounts-page.tsx',
};

type Output = Rolldown.OutputBundle[string];
const isChunk = (file: Output): file is Rolldown.OutputChunk => file.type === 'chunk';

/** The document names the pages, which wait for their language: their scripts and styles are loaded beside it, not after it. Its own shell waits for neither. */
const namedPages: Plugin = {
  name: 'named-pages',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      if (bundle === undefined) return html;
      const chunks = Object.values(bundle).filter(isChunk);
      const pages = chunks.find(({ facadeModuleId }) => facadeModuleId === pagesEntry);
      if (pages === undefined) throw new Error('the pages were not built');
      return named(versioned(html).replace('data-pages="/src/main.tsx"', `data-pages="/${pages.fileName}"`), pages, chunks);
    },
  },
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const document = bundle['index.html'];
      if (document?.type !== 'asset') throw new Error('the document was not built');
      const chunks = Object.values(bundle).filter(isChunk);
      for (const [fileName, page] of Object.entries(firstPages)) {
        const first = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/web/src/pages/${page}`)));
        if (first === undefined) throw new Error(`the page ${page} was not built`);
        this.emitFile({ type: 'asset', fileName, source: named(String(document.source), first, chunks) });
      }
    },
  },
};

/** Files that are taken as they are have no hash in their names. Browsers keep them for a year, so the document names them by what they hold. */
function versioned(html: string): string {
  return html.replace(/"(\/assets\/(?:before-pages\.js|shell\.css|icon\.svg))"/g, (_, path: string) => {
    const content = readFileSync(join(import.meta.dirname, 'public', path));
    return `"${path}?${createHash('sha256').update(content).digest('base64url').slice(0, 8)}"`;
  });
}

/** The document with what this script needs, except what it names already. */
function named(html: string, script: Rolldown.OutputChunk, chunks: readonly Rolldown.OutputChunk[]): string {
  const needed = new Set([script]);
  for (const { imports } of needed) for (const chunk of chunks) if (imports.includes(chunk.fileName)) needed.add(chunk);
  // What is needed by others comes first, as when the styles were one file.
  const styles = new Set([...needed].reverse().flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
  const links = [
    ...[...styles].map((file) => [file, `<link rel="preload" as="style" href="/${file}">`] as const),
    ...[...needed].map(({ fileName }) => [fileName, `<link rel="modulepreload" crossorigin href="/${fileName}">`] as const),
  ];
  const missing = links.flatMap(([file, link]) => (new RegExp(`(?:href|src)="/${file}"`).test(html) ? [] : [link]));
  return html.replace('</head>', `  ${missing.join('\n    ')}\n  </head>`);
}

/**
 * The scripts, each with what it needs and the ones before it do not have: in this order no two need each other. Without them every part that
 * two pages share would be a file of its own, most of them smaller than what asking for it takes.
 */
const chunkGroups = [
  // What the first script needs: nothing in it may have words, because it runs before the language is known.
  {
    name: 'language',
    test: /\/web\/src\/(?:language\/(?:instance|choice|languages)|session\/started|routes\/search)\.ts/,
  },
  // Everything that is not the first script itself.
  { name: 'frame', tags: ['$initial' as const], test: (id: string) => !id.endsWith('/language/start.ts') && !id.endsWith('.html') },
  // What people open first, before what other pages share.
  { name: 'home', test: /\/web\/src\/pages\/home\// },
  { name: 'entry', test: /\/web\/src\/pages\/(?:sign-in\/|link\/(?!scan-))/ },
  // What floats above a page: menus, lists to choose from, notifications. None of it is there when the first page appears.
  {
    name: 'floating',
    test: /\/web\/src\/shell\/(?:opened-menu\.tsx|notifications\.ts)|\/web\/src\/parts\/(?:figures-table\.tsx|tooltip\.ts)/,
  },
  { name: 'numbers', test: /\/web\/src\/pages\/numbers\/numbers-page\.tsx/ },
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
  plugins: [mantineStyles(), react(), namedPages],
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
