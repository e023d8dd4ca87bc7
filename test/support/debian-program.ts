import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const aptGet = '/usr/bin/apt-get';

/** The path of a program; installs Debian's package (or several, with spaces between) when there is none. Throws with what is missing where it cannot. */
export function debianProgram(program: string, debianPackage = program): string {
  const found = find(program);
  if (found !== null) return found;
  const mend = `install it (Debian: apt-get install ${debianPackage})`;
  if (process.getuid?.() !== 0 || !existsSync(aptGet)) throw new Error(`the tests need ${program}, which is not in PATH; ${mend}`);
  // Runlevel 1 keeps Debian from starting a server of its own after the installation.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  // Test files run side by side, and only one may hold apt's lock.
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  const words = [...wait, 'install', '-y', '-q', '--no-install-recommends', ...debianPackage.split(' ')];
  try {
    execFileSync(aptGet, [...wait, 'update', '-q'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    execFileSync(aptGet, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    throw new Error(
      `the tests need ${program} and apt-get could not install it: ${error instanceof Error ? error.message : error}; ${mend}`,
    );
  }
  const installed = find(program);
  if (installed === null) throw new Error(`apt-get installed ${debianPackage}, yet ${program} is not in PATH; ${mend}`);
  return installed;
}

function find(program: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}
