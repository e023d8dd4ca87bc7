import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import type { ImageStart } from './image-tree.ts';

// Starts what scripts/image-tree.ts made, the way compose.yaml has it: the tree read-only, the volume and /tmp writable, the image's user
// without any capability, no new privileges, Node as process 1. Then asks the health check, sends over the sandbox, stops it with SIGTERM.
//   node scripts/try-image-tree.ts FOLDER      (as root; FOLDER as given to --into)

const folder = process.argv[2];
if (folder === undefined) throw new Error('name the folder that image-tree.ts made');
const image: ImageStart = JSON.parse(readFileSync(join(folder, 'image.json'), 'utf8'));
const [uid = '0', gid = '0'] = image.user.split(':');
const say = (line: string) => void process.stdout.write(`${line}\n`);
const volumes = mkdtempSync(join(tmpdir(), 'gateway-volume-'));
// A picture and a second of silence, which the gateway has to convert.
const silence = Buffer.alloc(44 + 16_000);
silence.write('RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00', 0, 'latin1');
silence.writeUInt32LE(silence.length - 8, 4);
silence.writeUInt32LE(8000, 24);
silence.writeUInt32LE(16_000, 28);
silence.writeUInt32LE(0x0010_0002, 32);
silence.write('data', 36, 'latin1');
silence.writeUInt32LE(16_000, 40);
const picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#4a8' } })
  .png()
  .toBuffer();
const files = createServer((request, response) => {
  const [type, content] = request.url === '/silence.wav' ? ['audio/wav', silence] : ['image/png', picture];
  response.setHeader('content-type', type).end(content);
}).listen(0, '127.0.0.1');
await once(files, 'listening');
const { port: filesPort } = files.address() as AddressInfo;

const env = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ...image.env,
  // The system chooses one; from then on it stands here for the health check.
  PORT: '0',
  MEDIA_ALLOW_HOSTS: `127.0.0.1:${filesPort}`,
};
const started = start();
try {
  const pid = await firstProcess(started);
  env.PORT = await saidPort(started);
  await healthy(pid);
  say('the health check passes');
  say(
    `id, read-only root: ${inside(pid, ['/bin/sh', '-c', 'id -u; touch /app/x 2>&1 || true; touch /data/ok /tmp/ok && echo writable']).trim()}`,
  );
  say(inside(pid, ['/bin/sh', '-c', 'grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/1/status; tr "\\0" " " < /proc/1/cmdline']));
  await send(inside(pid, ['cat', '/data/demo.key']).trim());
  say(inside(pid, ['/bin/sh', '-c', 'gateway doctor || true']));
  process.kill(pid, 'SIGTERM');
  const [code] = await Promise.race([once(started, 'close'), wait(35_000).then(() => ['none within 35 s'])]);
  say(`exit code after SIGTERM: ${code}`);
  process.exitCode = code === 0 ? 0 : 1;
} finally {
  // The first process takes what it started with it; setpriv has undone --kill-child.
  const left = firstChild(started);
  if (left !== null) process.kill(left, 'SIGKILL');
  files.close();
  rmSync(volumes, { recursive: true });
}

function start(): ChildProcess {
  const mounts = image.volumes.map((name) => {
    const volume = join(volumes, name);
    mkdirSync(volume, { recursive: true, mode: 0o700 });
    chownSync(volume, Number(uid), Number(gid));
    return `mount --bind "${volume}" "$1${name}"`;
  });
  const script = [
    'mount --bind "$1" "$1"',
    'mount -o remount,bind,ro "$1"',
    'mount -t proc proc "$1/proc"',
    'mount --rbind /dev "$1/dev"',
    'mount -t tmpfs -o size=64m,mode=1777 tmpfs "$1/tmp"',
    ...mounts,
    'cd "$1"',
    'shift',
    'exec "$@"',
  ].join(' && ');
  // With the demo's account and number, so that there is something to send with.
  const program = [...image.entrypoint, ...image.command, '--demo'];
  const noRights = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
    '--inh-caps=-all',
  ];
  const words = ['-m', '-p', '--fork', '/bin/sh', '-c', script, 'sh', image.tree, 'chroot', image.tree];
  return spawn('unshare', [...words, ...noRights, ...program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The port at which the gateway says it is. */
function saidPort({ stdout }: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  if (stdout === null) throw new Error('no output');
  createInterface(stdout)
    .on('line', (line) => {
      const port = /Address +http:\/\/\S+:(\d+)$/.exec(line)?.[1];
      if (port !== undefined) resolve(port);
    })
    .on('close', () => reject(new Error('the gateway ended without an address')));
  return promise;
}

/** The gateway's own process, which is number 1 in its namespace. */
async function firstProcess(parent: ChildProcess): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const child = firstChild(parent);
    if (child !== null) return child;
    await wait(100);
  }
  throw new Error('nothing was started');
}

/** Null when it has none, or is gone itself. */
function firstChild({ pid }: ChildProcess): number | null {
  const list = `/proc/${pid}/task/${pid}/children`;
  const child = existsSync(list) ? readFileSync(list, 'utf8').trim() : '';
  return child === '' ? null : Number(child);
}

/** Runs a command as `docker exec` would, and answers what it printed. */
function inside(pid: number, command: readonly string[]): string {
  return execFileSync('nsenter', ['-t', String(pid), '-m', '-p', '-r', '-w', '-S', uid, '-G', gid, ...command], {
    env,
    encoding: 'utf8',
    // What it says on its error output is told only when it fails.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function healthy(pid: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      inside(pid, image.healthCheck);
      return;
    } catch (error) {
      if (tries === 60 || started.exitCode !== null) throw error;
      await wait(1000);
    }
  }
}

async function send(key: string): Promise<void> {
  const headers = { apikey: key, 'content-type': 'application/json' };
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${env.PORT}${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text).data;
  };
  const instance_id = (await ask('/v1/instances')).instances[0].instance_id;
  const media = `http://127.0.0.1:${filesPort}`;
  const sends = { text: { text: 'Hello' }, audio: { url: `${media}/silence.wav` }, sticker: { url: `${media}/picture.png` } };
  for (const [kind, body] of Object.entries(sends)) {
    const { status } = await ask(`/v1/messages/${kind}`, { instance_id, to: '15550123', ...body });
    say(`sent over the sandbox: ${kind} (${status})`);
  }
}
