import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  readonly homepage?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The licences and notices of other people's packages in the program, which have to come with it. */
export class Notices {
  readonly #folders = new Set<string>();

  /** Collects the packages whose code a build takes into its files. */
  plugin(): Plugin {
    return {
      name: 'notices',
      generateBundle: (_, bundle) => {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        for (const id of chunks.flatMap(({ moduleIds }) => moduleIds)) this.#addFile(id);
      },
    };
  }

  /** Adds a package that is installed beside the program, and what it needs in turn. */
  addInstalled(name: string, from: string): void {
    const folder = folderOf(name, from);
    // What another system has in its place, or what a library does without.
    if (folder === null || this.#folders.has(folder)) return;
    this.#folders.add(folder);
    const { dependencies, optionalDependencies } = manifestOf(folder);
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) this.addInstalled(needed, folder);
  }

  /** All of them as one text, by name. */
  text(): string {
    const found = [...this.#folders].map((folder) => ({ folder, manifest: manifestOf(folder) }));
    const byName = new Map(found.map((one) => [`${one.manifest.name} ${one.manifest.version}`, one]));
    const entries = [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, { folder, manifest }]) => entry(title, folder, manifest));
    return `Packages that messaging-gateway contains or is installed with, and their licences. Those that bring no text name it in brackets.\n\n${entries.join('\n')}`;
  }

  #addFile(id: string): void {
    const path = id.replace(/^\0/, '').replace(/\?.*$/, '');
    const within = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    if (within !== undefined && existsSync(join(within, 'package.json'))) this.#folders.add(realpathSync(within));
  }
}

/** Where a package lies that another one needs; null when it is not installed. */
function folderOf(name: string, from: string): string | null {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return realpathSync(folder);
  return dirname(from) === from ? null : folderOf(name, dirname(from));
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function entry(title: string, folder: string, { license, author, homepage }: Manifest): string {
  const texts = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|copyright|notice|third.?party)/i.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
  const by = typeof author === 'string' ? author : author?.name;
  const facts = [license ?? 'licence not named', by, homepage].filter((fact) => fact !== undefined).join(', ');
  return [`${'='.repeat(80)}\n${title} (${facts})\n`, ...(texts.length > 0 ? texts : licensingIn(folder)), ''].join('\n');
}

/** What a package without a file for it says of its licence among other things. */
function licensingIn(folder: string): readonly string[] {
  const readme = readdirSync(folder).find((name) => /^readme/i.test(name));
  if (readme === undefined) return [];
  const section = /^#+ licen[cs](?:e|ing)\b[\s\S]*?(?=^# |$(?![\s\S]))/im.exec(readFileSync(join(folder, readme), 'utf8'));
  return section === null ? [] : [section[0].trim()];
}
