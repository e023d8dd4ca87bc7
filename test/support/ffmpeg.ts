import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const tools = ['ffmpeg', 'ffprobe'];

/** Makes sure that ffmpeg and ffprobe are on the PATH: Debian's package is installed when this process may; otherwise the error says what is missing. */
export function ensureFfmpeg(): void {
  if (missing().length === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(`The media tests need ${missing().join(' and ')} on the PATH: install them, for example with apt-get install ffmpeg.`);
  }
  const options = { stdio: 'pipe', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  // Test files run side by side, and only one may hold apt's lock.
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  execFileSync('apt-get', [...wait, 'update', '-q'], options);
  execFileSync('apt-get', [...wait, 'install', '-q', '-y', '--no-install-recommends', 'ffmpeg'], options);
  if (missing().length > 0)
    throw new Error(`apt-get installed the package ffmpeg, but there is no ${missing().join(' and no ')} on the PATH`);
}

function missing(): string[] {
  const folders = (process.env.PATH ?? '').split(':');
  return tools.filter((tool) => !folders.some((folder) => existsSync(`${folder}/${tool}`)));
}
