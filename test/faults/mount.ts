import { spawnSync } from 'node:child_process';

/** The words that run a command in a mount namespace of its own; what is mounted there is gone when its processes are. */
export function ownMounts(): readonly string[] {
  // A user who is not root gets the right to mount in a user namespace of its own, where the machine allows that.
  const candidates = process.getuid?.() === 0 ? [['unshare', '-m']] : [['unshare', '-Urm']];
  for (const words of candidates) {
    const [program = 'unshare', ...rest] = words;
    const tried = spawnSync(program, [...rest, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { encoding: 'utf8' });
    if (tried.status === 0) return words;
    throw new Error(
      `these tests need to mount a small disk of their own, and "${words.join(' ')}" cannot (${tried.stderr || tried.error?.message}); run them as root or where user namespaces are allowed`,
    );
  }
  throw new Error('no way to mount');
}

/**
 * Runs a command with a tmpfs of so many bytes at `at`, filled from `from`; when the command has ended, what is there is copied back.
 * The command is a child of the shell, so signals for it must go to its own process.
 */
export function withSmallDisk(from: string, at: string, bytes: number): readonly string[] {
  const script =
    'mount -t tmpfs -o size="$1" tmpfs "$3" && cp -a "$2/." "$3" || exit 99; shift 3; "$@"; code=$?; rm -f "$AT/ballast"; cp -a "$AT/." "$FROM"; exit $code';
  return [...ownMounts(), 'env', `FROM=${from}`, `AT=${at}`, 'sh', '-c', script, 'sh', String(bytes), from, at];
}

/** Runs a command that sees what a process with mounts of its own sees. */
export function withMountsOf(pid: number): readonly string[] {
  return ['nsenter', '-t', String(pid), '-m', ...(process.getuid?.() === 0 ? [] : ['-U', '--preserve-credentials'])];
}

/** Runs a command that sees this folder read-only. */
export function withReadOnly(folder: string): readonly string[] {
  const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99; shift; exec "$@"';
  return [...ownMounts(), 'sh', '-c', script, 'sh', folder];
}
