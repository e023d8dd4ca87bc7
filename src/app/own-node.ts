import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';

/** What the program runs on: older ones, and every 25, lack `randomUUIDv7` of node:crypto. */
const needed = 'Node 24.16 or a newer 24, or Node 26.1 or newer';
/** Set for what is started here, so that a wrong Node there is not started over and over. */
const startedHere = 'GATEWAY_STARTED_ON_OWN_NODE';
/** What is passed on to the program; others, such as SIGKILL, cannot be. */
const passedOn: NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];

export function canRunProgram(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major === 24 ? minor >= 16 : major > 26 || (major === 26 && minor >= 1);
}

/** Starts the program with the same words on the Node of the npm package `node`, passes signals on, and ends as it ends. Without that package it says what to do. */
export function startOnOwnNode(): void {
  const node = ownNode();
  if (process.env[startedHere] !== undefined || node === null) {
    process.stderr.write(
      `gateway: this is Node ${process.versions.node}, and the gateway needs ${needed}: start it with one of these, or bring one (npm ci in a checkout, npm install node@24 where it was installed with npm)\n`,
    );
    process.exitCode = 1;
    return;
  }
  const program = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [startedHere]: '1' },
  });
  for (const signal of passedOn) process.on(signal, () => program.kill(signal));
  program.on('error', (error) => {
    process.stderr.write(`gateway: ${node} cannot be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  program.on('exit', (code, signal) => {
    // Where a signal ended it, 128 and its number, as shells say it.
    process.exitCode = code === null ? 128 + (signal === null ? 0 : constants.signals[signal]) : code;
  });
}

/** The Node that `npm ci` brought, or that was installed with npm beside the gateway; null when there is none. */
function ownNode(): string | null {
  try {
    return createRequire(import.meta.url).resolve('node/bin/node');
  } catch {
    return null;
  }
}
