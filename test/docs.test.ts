import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { faults } from '../scripts/docs/built.ts';
import { chapters } from '../scripts/docs/contents.ts';
import { anchors, codeBlocks, prose } from '../scripts/docs/markdown.ts';
import type { ApiDocument, Schema } from '../scripts/docs/openapi.ts';
import { makeSite } from '../scripts/docs/pages.ts';
import { auditActions } from '../src/audit/index.ts';
import { lookEveryMs } from '../src/vault/index.ts';

const root = join(import.meta.dirname, '..');
const pages = globSync(['*.md', '{docs,test,packages/*,web/src}/**/*.md'], { cwd: root, exclude: (path) => path.endsWith('node_modules') });
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const api = JSON.parse(read('docs/openapi.json')) as ApiDocument;

/** The links of a text that lead to something of ours. */
function links(markdown: string): string[] {
  return [...prose(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^(https?|mailto):/.test(link));
}

/** What is wrong with a block in this language; null when nothing is. The examples in TypeScript are run by the package that they are about. */
const readers: Readonly<Record<string, (code: string) => string | null>> = {
  sh: (code) => spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' }).stderr || null,
  json: (code) => attempt(() => JSON.parse(code)),
  yaml: (code) => attempt(() => parseYaml(code)),
  toml: (code) => attempt(() => parseToml(code)),
  ts: () => null,
  // The packages run the examples of their clients.
  python: () => null,
  php: () => null,
  csv: (code) =>
    new Set(
      code
        .trim()
        .split('\n')
        .map((line) => line.split(',').length),
    ).size === 1
      ? null
      : `columns: ${code}`,
  promql: () => null,
  mermaid: (code) => (/^flowchart (LR|TB)\n/.test(code) ? null : `not a flowchart: ${code}`),
};
const unknown = (code: string) => `a block without a known language: ${code.slice(0, 60)}`;

function attempt(parse: () => unknown): string | null {
  try {
    parse();
    return null;
  } catch (error) {
    return String(error);
  }
}

describe('the documents', () => {
  it.each(pages)('%s links only to what is there', (page) => {
    const broken = links(read(page)).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : relative(root, join(root, dirname(page), path));
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchors(read(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it.each(pages)('%s has code that its language can read', (page) => {
    expect((read(page).match(/^ *```/gm) ?? []).length % 2).toBe(0);
    const faults = codeBlocks(read(page)).flatMap(({ language, code }) => (readers[language] ?? unknown)(code) ?? []);
    expect(faults).toEqual([]);
  });

  it.each(pages)('%s names only endpoints that there are', (page) => {
    const known = new Set(
      Object.entries(api.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)),
    );
    const named = [...read(page).matchAll(/`((?:GET|POST|PATCH|PUT|DELETE) \/v1\/[^\s`?]*)/g)].map(([, endpoint = '']) => endpoint);
    expect(named.filter((endpoint) => !known.has(endpoint) && !/[*…]$/.test(endpoint))).toEqual([]);
  });

  it('docs/audit.md names every action that is recorded', () => {
    const named = new Set([...read('docs/audit.md').matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, action]) => action));
    expect([...named].toSorted()).toEqual(auditActions.toSorted());
  });

  it('docs/mcp.md starts the program where docs/installing.md installs it', () => {
    const folder = /^mkdir -p (\S+) && cd \1$/m.exec(read('docs/installing.md'))?.[1];
    const started = /"command": "(.+)"/.exec(read('docs/mcp.md'))?.[1];
    expect(Object.keys(JSON.parse(read('package.json')).bin).map((name) => `${folder}/node_modules/.bin/${name}`)).toContain(started);
  });

  it('docs/import.md copies databases onto the volume, not into the small /tmp of the container', () => {
    const { gateway } = parseYaml(read('compose.yaml')).services;
    expect([gateway.tmpfs, gateway.volumes]).toEqual([[expect.stringMatching(/^\/tmp:size=64m/)], ['data:/data']]);
    expect(/`(docker compose run [^`]+)`/.exec(read('docs/import.md'))?.[1]).toContain(' -e TMPDIR=/data ');
  });

  it('docs/operating.md has the numbers of the program', () => {
    const oldest = /^const oldestPostgres = (\d+);$/m.exec(read('src/health/checks/store.ts'))?.[1];
    expect(read('docs/operating.md')).toContain(`PostgreSQL (${oldest} or newer)`);
    const seconds = (2 * lookEveryMs) / 1000;
    expect(read('docs/operating.md')).toContain(`takes at least ${seconds} seconds (${2 * seconds} if `);
  });

  it('those that everybody reads stay short', () => {
    const most = { 'CONTRIBUTING.md': 8 * 1024, 'docs/performance.md': 8 * 1024, 'README.md': 12 * 1024 };
    for (const [page, bytes] of Object.entries(most)) expect([page, Buffer.byteLength(read(page)) <= bytes]).toEqual([page, true]);
  });
});

describe('the guides for those who come from another program', () => {
  const guides = pages.filter((page) => page.startsWith('docs/coming-from/'));

  /** The names of all fields that a request to this path can have, those inside others too. */
  function fieldsOf(endpoint: string): Set<string> {
    const [method = '', path = ''] = endpoint.split(' ');
    const operation = api.paths[path]?.[method.toLowerCase()];
    const names = new Set((operation?.parameters ?? []).map(({ name }) => name));
    const visit = ({ $ref, properties = {}, items, oneOf = [] }: Schema): void => {
      const target = $ref === undefined ? undefined : api.components.schemas[$ref.split('/').at(-1) ?? ''];
      for (const [name, one] of Object.entries(properties)) {
        names.add(name);
        visit(one);
      }
      for (const one of [target, items, ...oneOf]) if (one !== undefined) visit(one);
    };
    const schema = operation?.requestBody?.content['application/json'].schema;
    if (schema !== undefined) visit(schema);
    return names;
  }

  it.each(guides)('%s gives each field a name that the endpoint knows', (page) => {
    const rows = [...read(page).matchAll(/^\| (.+?) \| `((?:GET|POST|PATCH|DELETE) \/v1\/[^\s`?]+)[^|]*\| (.*) \|$/gm)];
    expect(rows.length).toBeGreaterThan(10);
    const wrong = rows.flatMap(([, , endpoint = '', words = '']) => {
      const given = [...words.matchAll(/→ `([^`]+)`/g)].flatMap(([, name = '']) => name.split(/\[\d\]\.|\./));
      const known = fieldsOf(endpoint);
      return given.filter((name) => !known.has(name)).map((name) => `${endpoint}: ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  it.each(guides)('%s has every kind of message but those that the other program lacks', (page) => {
    const kinds = Object.keys(api.paths).filter((path) => path.startsWith('/v1/messages/'));
    const missing = kinds.filter((path) => !read(page).includes(`\`POST ${path}\``));
    expect(missing).toEqual(page.endsWith('waha.md') ? ['/v1/messages/sticker'] : []);
  });
});

describe('the docs site', () => {
  const site = makeSite(root);

  it('has every document in docs/, and every page in its menu', () => {
    const sources = chapters.flatMap((chapter) => chapter.pages.map(({ source }) => source));
    expect(pages.filter((page) => page.startsWith('docs/') && !sources.includes(page))).toEqual([]);
    expect(site.chapters.flatMap((chapter) => chapter.pages.map(({ path }) => path)).toSorted()).toEqual([...site.texts.keys()].toSorted());
  });

  it('links only to its own pages and to copies of files', () => {
    const broken = [...site.texts].flatMap(([path, text]) =>
      links(text)
        .filter((link) => {
          const [address = '', anchor] = link.split('#');
          if (site.files.has(address)) return false;
          const target = address === '' ? path : address.slice(1).replace(/\/$/, '/index');
          const found = site.texts.get(target);
          return found === undefined || (anchor !== undefined && !anchors(found).includes(anchor));
        })
        .map((link) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('has a page for each endpoint, with its fields, a request in four languages and its errors', () => {
    const endpoints = Object.values(api.paths).flatMap((methods) => Object.values(methods));
    const { texts } = site;
    expect([...texts.keys()].filter((path) => path.startsWith('reference/')).length).toBe(endpoints.length + 3);
    const poll = texts.get('reference/send-poll') ?? '';
    for (const words of [
      '`POST /v1/messages/poll`',
      '| `options` | array of string | yes |',
      '[PHP]',
      '(/reference/errors#invalid_recipient)',
    ])
      expect(poll).toContain(words);
    const codes = api.components.schemas.ErrorCode?.enum ?? [];
    expect(anchors(texts.get('reference/errors') ?? '').slice(1)).toEqual(codes);
  });

  it('leaves nothing for the page builder to fill in', () => {
    const filled = [...site.texts].filter(([, text]) =>
      prose(text)
        .replaceAll(/`[^`\n]*`/g, '')
        .includes('{{'),
    );
    expect(filled.map(([path]) => path)).toEqual([]);
  });

  it('is refused when it was built with a link that leads nowhere, or loads anything from elsewhere', () => {
    const folder = mkdtempSync(join(tmpdir(), 'docs-site-'));
    try {
      writeFileSync(
        join(folder, 'a.html'),
        '<h2 id="here"><a href="#here">1</a><a href="/manual/b.html#there">2</a><a href="https://x.y/">3</a>',
      );
      writeFileSync(
        join(folder, 'b.html'),
        '<h2 id="there"><img src="data:,"><a href="/manual/c.html">4</a><a href="/a.html">5</a><a href="#no">6</a>',
      );
      expect(faults(folder, '/manual/')).toEqual(['b.html: /manual/c.html', 'b.html: /a.html', 'b.html: #no']);
      writeFileSync(join(folder, 'b.html'), '<h2 id="there"><script src="https://x.y/z.js"></script><img alt="" src="/manual/no.png">');
      writeFileSync(join(folder, 'a.css'), 'a{background:url(https://x.y/z.png)}@import "//x.y/z.css";b{background:url(data:,)}');
      expect(faults(folder, '/manual/')).toEqual([
        'b.html: https://x.y/z.js',
        'b.html: /manual/no.png',
        'a.css: https://x.y/z.png',
        'a.css: //x.y/z.css',
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
