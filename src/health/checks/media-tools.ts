import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Check, type Finding, type Machine, ok, reason, warn } from './check.ts';

const run = promisify(execFile);
const answerMs = 5000;

/** The programs that media are converted with. The gateway works without them, only less well. */
export const mediaTools: Check = async (machine) => [
  await tool(machine, 'ffmpeg', 'audio is sent as it is, not as a voice note, and videos have no preview'),
  await tool(machine, 'ffprobe', 'videos have no size and no duration'),
];

async function tool({ env }: Machine, name: string, without: string): Promise<Finding> {
  const mend = "install ffmpeg, which brings ffprobe (Debian and Ubuntu: apt-get install ffmpeg), where the gateway's PATH finds it";
  try {
    const { stdout } = await run(name, ['-version'], { env: { ...env }, timeout: answerMs, maxBuffer: 64 * 1024 });
    const version = /^\S+ version (\S+)/.exec(stdout)?.[1];
    return version === undefined
      ? warn(name, `it does not report its version; without it ${without}`, mend)
      : ok(name, `version ${version}`);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return warn(name, `${missing ? 'it is not installed' : `it cannot be run (${reason(error)})`}: ${without}`, mend);
  }
}
