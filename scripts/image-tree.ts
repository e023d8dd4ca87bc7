import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { contextPaths, execForm, readDockerfile, type Stage } from './dockerfile.ts';

// Runs the steps of the Dockerfile where no container engine is: each stage in a copy of a folder with a Debian tree, by chroot, as root.
//   node scripts/image-tree.ts --base TREE --into FOLDER [--env NAME=VALUE …]
// TREE stands for the base image and is not changed. FOLDER gets a tree per stage, and image.json: how the last one is started.
// docs/installing.md tells how a TREE is made; scripts/try-image-tree.ts starts the gateway in the result. --env is for the steps only
// (a certificate of this machine, for example).

/** How the finished image is started. */
export interface ImageStart {
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  readonly user: string;
  readonly volumes: readonly string[];
  readonly healthCheck: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
}

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { base: { type: 'string' }, into: { type: 'string' }, env: { type: 'string', multiple: true, default: [] } },
});
if (values.base === undefined || values.into === undefined) throw new Error('--base TREE and --into FOLDER are needed');
const base = resolve(values.base);
const into = resolve(values.into);
if (existsSync(into)) throw new Error(`${into} exists; name a folder that does not`);
const machineEnv = Object.fromEntries(values.env.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const say = (line: string) => void process.stdout.write(`${line}\n`);

const context = gatherContext();
try {
  let last: ImageStart | undefined;
  for (const stage of readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))) last = runStage(stage);
  if (last === undefined) throw new Error('the Dockerfile has no stage');
  writeFileSync(join(into, 'image.json'), `${JSON.stringify(last, null, 2)}\n`);
  say(`made ${last.tree}`);
} finally {
  rmSync(context, { recursive: true });
}

/** What an engine would be sent: the files that git knows or would add, as far as .dockerignore lets them through. */
function gatherContext(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-context-'));
  const allowed = contextPaths(readFileSync(join(root, '.dockerignore'), 'utf8'));
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard', '--', ...allowed], { cwd: root, encoding: 'utf8' });
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  return folder;
}

function runStage({ name, from, instructions }: Stage): ImageStart {
  const tree = join(into, name);
  say(`\n== stage ${name} (from ${from}, for which ${base} stands)`);
  mkdirSync(into, { recursive: true });
  execFileSync('cp', ['-a', base, tree]);
  const start = {
    tree,
    env: {} as Record<string, string>,
    workdir: '/',
    user: '0:0',
    volumes: [] as string[],
    healthCheck: [] as readonly string[],
    entrypoint: [] as readonly string[],
    command: [] as readonly string[],
  };
  for (const one of instructions) {
    say(`-- ${one.name} ${one.rest}`);
    const words = one.rest.split(/\s+/);
    switch (one.name) {
      case 'WORKDIR':
        start.workdir = one.rest;
        mkdirSync(join(tree, one.rest), { recursive: true });
        break;
      case 'ENV':
        for (const pair of words) start.env[pair.slice(0, pair.indexOf('='))] = pair.slice(pair.indexOf('=') + 1);
        break;
      case 'USER':
        start.user = one.rest;
        break;
      case 'VOLUME':
        start.volumes.push(...words);
        break;
      case 'COPY':
        copy(tree, start.workdir, words);
        break;
      case 'RUN':
        run(tree, start, one.rest);
        break;
      case 'HEALTHCHECK':
        start.healthCheck = execForm({ ...one, rest: one.rest.replace(/^.*? CMD (?=\[)/, '') });
        break;
      case 'ENTRYPOINT':
        start.entrypoint = execForm(one);
        break;
      case 'CMD':
        start.command = execForm(one);
        break;
      case 'EXPOSE':
      case 'STOPSIGNAL':
        break;
      default:
        throw new Error(`line ${one.line}: ${one.name} is not understood`);
    }
  }
  return start;
}

function copy(tree: string, workdir: string, words: readonly string[]): void {
  const stage = /^--from=(.+)$/.exec(words[0] ?? '')?.[1];
  const rest = stage === undefined ? words : words.slice(1);
  const to = rest.at(-1) ?? '.';
  const target = to.startsWith('/') ? join(tree, to) : join(tree, workdir, to);
  for (const source of rest.slice(0, -1)) {
    const found = stage === undefined ? join(context, source) : join(into, stage, source);
    // As COPY does: of a folder what is in it, of a file the file itself.
    if (execFileSync('stat', ['-c', '%F', found], { encoding: 'utf8' }).trim() === 'directory') {
      mkdirSync(target, { recursive: true });
      execFileSync('cp', ['-a', '--no-preserve=ownership', `${found}/.`, target]);
    } else {
      execFileSync('cp', ['-a', '--no-preserve=ownership', found, to.endsWith('/') ? `${target}/` : target]);
    }
  }
}

function run(tree: string, { env, workdir, user }: { env: Record<string, string>; workdir: string; user: string }, script: string): void {
  // The mounts are its own, and gone with it.
  const around = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && shift && exec "$@"';
  const inside = ['chroot', `--userspec=${user}`, tree, '/bin/sh', '-c', `cd ${workdir} && ${script}`];
  const begun = Date.now();
  execFileSync('unshare', ['-m', '-p', '--fork', '--kill-child', '/bin/sh', '-c', around, 'sh', tree, ...inside], {
    env: { PATH: path, HOME: '/root', ...env, ...machineEnv },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  say(`   (${((Date.now() - begun) / 1000).toFixed(0)} s)`);
}
