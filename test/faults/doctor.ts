import { execFile } from 'node:child_process';
import { builtFile } from './server-process.ts';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly message: string;
}

/** What `gateway doctor` finds with these settings, by check. `command` goes in front of node. */
export function doctor(env: Readonly<Record<string, string>>, command: readonly string[]): Promise<Record<string, Finding>> {
  const [program = process.execPath, ...words] = [...command, process.execPath, builtFile, 'doctor', '--json'];
  const settings = { PATH: process.env.PATH, NETWORKS: 'sandbox', NODE_NO_WARNINGS: '1', ...env };
  return new Promise((resolve, reject) => {
    execFile(program, words, { env: settings }, (_exit, stdout, stderr) => {
      if (stdout === '') return reject(new Error(stderr));
      const { checks } = JSON.parse(stdout) as { checks: Finding[] };
      resolve(Object.fromEntries(checks.map((finding) => [finding.check, finding])));
    });
  });
}
