import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { runCommandLine } from '../cli/index.ts';
import type { Config } from '../config/index.ts';
import { MemoryRelease, OperatorError, systemClock, waitForSlowHandshakes } from '../core/index.ts';
import { firstOperatorLink } from '../people/index.ts';
import { resealTwoFactors } from '../portal/index.ts';
import { openStore } from '../store/index.ts';
import { version } from './base.ts';
import { invitation, prepareDemo, welcome } from './demo.ts';
import { openMail } from './open-alerts.ts';
import { startApp } from './start.ts';

/** How long a stop may take before the process ends anyway; its parts have bounds of their own (start.ts), so this is for the unforeseen. */
const stopMs = 30_000;

/** A server goes on when what it prints cannot be written. */
let isServer = false;

/** Serves until SIGTERM or SIGINT, or until the app can no longer work. */
async function serve(config: Config, { demo }: { demo: boolean }): Promise<void> {
  isServer = true;
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
  const limitStop = () => {
    setTimeout(() => {
      process.stderr.write('gateway: the stop did not end in time; stopping anyway\n');
      process.exit(1);
    }, config.stopDelayMs + stopMs).unref();
  };
  // Also while the program is still starting, which a signal does not cut off.
  void asked.then(limitStop);
  const app = await startApp(config);
  const address = config.publicUrl ?? app.address;
  let stopped = false;
  try {
    const first = await firstOperatorLink(app.store, systemClock.now());
    const portal = first === null ? null : `${address}/link/${first.token}`;
    if (demo) process.stdout.write(welcome(address, await prepareDemo(app, systemClock), portal));
    else process.stdout.write(`The gateway is running at ${address} (docs: ${address}/docs). Stop with Ctrl-C.\n${invitation(portal)}`);
    const memory = new MemoryRelease(() => process.stderr.write('gateway: the memory used for starting could not be given back\n'));
    // While numbers log in, requests would wait for it too.
    void app.returned.then(() => memory.soon());
    await Promise.race([asked, app.failed]);
  } finally {
    limitStop();
    stopped = await app.stop();
  }
  if (!stopped) throw new OperatorError('not everything could be closed; the log says what');
}

/** Reads the keyboard for as long as a line is waited for, so that it does not keep the process alive otherwise. */
async function nextLine(signal: AbortSignal): Promise<string | null> {
  const lines = createInterface({ input: process.stdin });
  try {
    const line = once(lines, 'line', { signal }).then(([text]) => String(text));
    return await Promise.race([line, once(lines, 'close', { signal }).then(() => null)]);
  } finally {
    lines.close();
  }
}

for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read it is gone (`| head`); what was asked for is done all the same. A server's log may also be on a full disk.
    if (error.code !== 'EPIPE' && !isServer) throw error;
  });
}

waitForSlowHandshakes();
process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  clock: systemClock,
  isTerminal: process.stdout.isTTY === true,
  version,
  stdin: process.stdin,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  nextLine,
  openStore,
  openMail: (config) =>
    openMail(config, {
      clock: systemClock,
      log: { error: ({ reason }, message) => void process.stderr.write(`gateway: ${message}: ${reason}\n`) },
    }),
  resealTwoFactors,
  serve,
});
