import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { neededOpenFiles, openFileLimit, raiseOpenFileLimit } from '../../core/index.ts';
import { type Check, type Finding, fail, type Machine, ok, reason, type Sentence, t, warn } from './check.ts';

// Before this program existed; a machine without a battery for its clock starts in 1970 or 2000.
const earliest = Date.UTC(2026, 0, 1);

/** Node.js, the clock, and how many files may be open: what needs no settings. */
export function machine({ clock }: Machine): Finding[] {
  const now = clock.now();
  const time = new Date(now).toISOString();
  return [
    // On another version the program does not start.
    ok('node', `Node.js ${process.versions.node}`),
    now >= earliest
      ? ok('clock', t('the clock shows {{time}}', { time }))
      : fail(
          'clock',
          t('the clock shows {{time}}, which is in the past', { time }),
          t('set the clock, preferably by NTP (timedatectl set-ntp true)'),
        ),
    ...openFiles(openFileLimit()),
  ];
}

/** Of this process; a service may have another limit. */
function openFiles(limit: number | null): Finding[] {
  if (limit === null) return [];
  return [
    limit >= neededOpenFiles
      ? ok('open files', t('{{limit}} files and connections may be open at once', { limit: String(limit) }))
      : warn(
          'open files',
          t('only {{limit}} files and connections may be open at once; a server started with this limit lets clients have half of them', {
            limit: String(limit),
          }),
          (texts) => texts.known(raiseOpenFileLimit),
        ),
  ];
}

const run = promisify(execFile);
const answerMs = 5000;

/** The programs that media are converted with. The gateway works without them, with fewer conversions. */
export const mediaTools: Check = async (machine) => [
  await tool(machine, 'ffmpeg', t('audio is sent as it is, not as a voice note, and videos have no preview')),
  await tool(machine, 'ffprobe', t('videos have no size and no duration')),
];

async function tool({ env }: Machine, name: string, without: Sentence): Promise<Finding> {
  const mend = t("install ffmpeg, which brings ffprobe (Debian and Ubuntu: apt-get install ffmpeg), where the gateway's PATH finds it");
  try {
    const { stdout } = await run(name, ['-version'], { env: { ...env }, timeout: answerMs, maxBuffer: 64 * 1024 });
    const version = /^\S+ version (\S+)/.exec(stdout)?.[1];
    return version === undefined
      ? warn(name, t('it does not report its version; without it {{without}}', { without }), mend)
      : ok(name, t('version {{version}}', { version }));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return warn(
      name,
      missing
        ? t('it is not installed: {{without}}', { without })
        : t('it cannot be run ({{reason}}): {{without}}', { reason: reason(error), without }),
      mend,
    );
  }
}
