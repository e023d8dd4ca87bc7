import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** A program that tests need besides Node. */
interface Component {
  /** What brings it on Debian and Ubuntu. */
  readonly packages: readonly string[];
  /** How to get it elsewhere. */
  readonly elsewhere: string;
  isThere(): boolean;
}

const aptGet = '/usr/bin/apt-get';

const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
/** The one that cannot open a window comes first: it needs two thirds of the processor time. */
const headlessBrowsers = ['/usr/bin/chromium-headless-shell', ...browsers];

/** The programs that tests need, each for some groups of tests only. */
export const components = {
  postgres: {
    packages: ['postgresql'],
    elsewhere: 'put the folder of PostgreSQL 15 or newer (initdb, postgres) on PATH',
    isThere: () => postgresFolder() !== null,
  },
  mariadb: {
    packages: ['mariadb-server'],
    elsewhere: 'put mariadbd and mariadb-install-db on PATH',
    isThere: () => program('mariadbd') !== null && program('mariadb-install-db') !== null,
  },
  redis: { packages: ['redis-server'], elsewhere: 'put redis-server on PATH', isThere: () => program('redis-server') !== null },
  chromium: {
    packages: ['chromium', 'chromium-headless-shell'],
    elsewhere: 'install Chromium or Google Chrome',
    isThere: () => browser() !== null,
  },
  ffmpeg: {
    packages: ['ffmpeg'],
    elsewhere: 'put ffmpeg and ffprobe on PATH',
    isThere: () => program('ffmpeg') !== null && program('ffprobe') !== null,
  },
  languages: {
    packages: ['curl', 'python3', 'php-cli', 'php-curl'],
    elsewhere: 'put curl, python3 and php (with its curl extension) on PATH',
    isThere: () => ['sh', 'curl', 'python3'].every((name) => program(name) !== null) && hasPhp(),
  },
  caddy: { packages: ['caddy'], elsewhere: 'put caddy on PATH', isThere: () => program('caddy') !== null },
  faketime: { packages: ['faketime'], elsewhere: 'put faketime on PATH', isThere: () => program('faketime') !== null },
  prometheus: { packages: ['prometheus'], elsewhere: 'put prometheus on PATH', isThere: () => program('prometheus') !== null },
} as const satisfies Readonly<Record<string, Component>>;

export type ComponentName = keyof typeof components;

/** Those of the components that this machine lacks. */
export function missingComponents(names: Iterable<ComponentName>): ComponentName[] {
  return [...new Set(names)].filter((name) => !components[name].isThere());
}

/** Whether this process may install what is missing: as root, where there is apt. */
export const canInstall = (): boolean => process.getuid?.() === 0 && existsSync(aptGet);

/** Installs the components' packages. Throws with apt's own words when it cannot. */
export function installComponents(names: readonly ComponentName[]): void {
  // Runlevel 1 keeps Debian from starting servers of its own after the installation.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  // Another run may hold apt's lock.
  const apt = (...words: readonly string[]) =>
    execFileSync(aptGet, ['-q', '-o', 'DPkg::Lock::Timeout=300', ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...names.flatMap((name) => components[name].packages));
  const missing = missingComponents(names);
  if (missing.length > 0) throw new Error(`apt-get installed the packages of ${missing.join(', ')}, but they are not found`);
}

/** One sentence about a component that is missing and cannot be installed here. */
export function howToGet(name: ComponentName): string {
  const { packages, elsewhere } = components[name];
  return `${name} is missing: ${elsewhere} (Debian and Ubuntu: apt-get install ${packages.join(' ')})`;
}

/** Makes sure that a component is there: installs it where it may, which a run of tests has done before its first test, else throws with how to get it. */
export function ensureComponent(name: ComponentName): void {
  if (components[name].isThere()) return;
  if (!canInstall()) throw new Error(howToGet(name));
  installComponents([name]);
}

/** The path of a program that this component brings. Throws with how to get it when it is missing and cannot be installed. */
export function programOf(component: ComponentName, name: string): string {
  ensureComponent(component);
  const path = program(name);
  if (path === null) throw new Error(howToGet(component));
  return path;
}

/** The path of a program on PATH; null when there is none. */
function program(name: string): string | null {
  return (
    foldersOfPath()
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path)) ?? null
  );
}

/** The folder with PostgreSQL's server programs; null when there is none. */
export function postgresFolder(): string | null {
  const packaged = '/usr/lib/postgresql';
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : [];
  for (const folder of [...foldersOfPath(), ...versions.map((version) => join(packaged, version, 'bin'))]) {
    if (!existsSync(join(folder, 'initdb'))) continue;
    // A link in the PATH leads to the folder where the other programs are.
    const real = dirname(realpathSync(join(folder, 'initdb')));
    if (existsSync(join(real, 'initdb')) && existsSync(join(real, 'postgres'))) return real;
  }
  return null;
}

/** The path of a Chromium; with `windows` of one that can open them, as extensions need. Null when there is none. */
export function browser({ windows = false } = {}): string | null {
  return (windows ? browsers : headlessBrowsers).find((path) => existsSync(path)) ?? null;
}

function hasPhp(): boolean {
  const php = program('php');
  return php !== null && /^curl$/m.test(execFileSync(php, ['-m'], { encoding: 'utf8' }));
}

const foldersOfPath = () => [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin'];
