import type { Command } from 'commander';
import { type Config, readConfig } from '../config/index.ts';
import { OperatorError } from '../core/index.ts';
import { dataFolder, type Finding, fail, machine, mail, mediaTools, ok, tls, translated, whatsapp } from '../health/index.ts';
import { createLanguages } from '../language/index.ts';
import { database } from './checks/database.ts';
import { server } from './checks/server.ts';
import type { CommandEnvironment, Run } from './environment.ts';
import { oneLine, print } from './output.ts';

/** Every check that needs the settings, in the order in which they are shown. A new one is one file and one line. */
const checks: readonly ((environment: CommandEnvironment, config: Config) => Promise<Finding[]>)[] = [
  dataFolder,
  database,
  tls,
  mediaTools,
  whatsapp,
  (environment, config) => mail(environment.openMail(config), config),
  server,
];

export function addDoctor(program: Command, run: Run): void {
  program
    .command('doctor')
    .summary('say what is missing or misconfigured')
    .description(
      'Check settings, data folder, database, TLS files, media programs, the route to WhatsApp, mail server, clock and server, and say how to fix what is wrong. ' +
        'Exit code 1 when something failed.',
    )
    .action(async (_options: object, command: Command) => {
      const english = createLanguages()('en');
      const findings = (await examine(run.environment)).map((finding) => translated(finding, english));
      const failed = findings.some((finding) => finding.state === 'fail');
      if (failed) run.exitCode = 1;
      print(run, command, { ok: !failed, checks: findings }, findings.map(findingText).join('\n'));
    });
}

async function examine(environment: CommandEnvironment): Promise<Finding[]> {
  const findings = machine(environment);
  let config: Config;
  try {
    config = readConfig(environment.env);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    // Everything else depends on the settings.
    return [...findings, ...error.message.split('\n').map((line) => fail('settings', line, 'correct this environment variable'))];
  }
  findings.push(ok('settings', 'every setting is valid'));
  for (const check of checks) findings.push(...(await check(environment, config)));
  return findings;
}

function findingText({ state, check, message, mend }: ReturnType<typeof translated>): string {
  const line = `${state.padEnd(4)}  ${check}: ${oneLine(message)}`;
  return mend === null ? line : `${line}\n      → ${oneLine(mend)}`;
}
