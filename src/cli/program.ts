import { Command, CommanderError } from 'commander';
import { settings } from '../config/index.ts';
import { OperatorError } from '../core/index.ts';
import { addAccount } from './account.ts';
import { addAlert } from './alert.ts';
import { addAudit } from './audit.ts';
import { addBackup, addRestore } from './backup.ts';
import { addDoctor } from './doctor.ts';
import { type CommandEnvironment, type Run, UsageError } from './environment.ts';
import { addFind } from './find.ts';
import { addImport } from './import.ts';
import { addKey } from './key.ts';
import { addMcp } from './mcp.ts';
import { addMove } from './move.ts';
import { addNode } from './node.ts';
import { addNumber } from './number.ts';
import { oneLine } from './output.ts';
import { addPlan } from './plan.ts';
import { addProvider } from './provider.ts';
import { addRequest } from './request.ts';
import { addSecret } from './secret.ts';
import { addServe } from './serve.ts';
import { addUsage } from './usage.ts';
import { addUser } from './user.ts';
import { addWhatsApp } from './whatsapp.ts';

const helpWidth = 120;

/**
 * Runs the words after the program's name and returns the exit code: 0, 1 when what was asked for failed, 2 for wrong usage, 130 when
 * stopped by Ctrl-C. Never throws; mistakes are printed on stderr, one line each.
 */
export async function runCommandLine(argv: readonly string[], environment: CommandEnvironment): Promise<number> {
  const run: Run = { environment, exitCode: 0 };
  try {
    await buildProgram(run).parseAsync(argv, { from: 'user' });
    return run.exitCode;
  } catch (error) {
    // Commander has written its own message; asking for help or the version ends in an error with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const [exitCode, message] = mistake(error, environment);
    for (const line of message.split('\n')) environment.stderr(`gateway: ${oneLine(line)}\n`);
    return exitCode;
  }
}

function mistake(error: unknown, environment: CommandEnvironment): [exitCode: number, message: string] {
  if (error instanceof UsageError) return [2, error.message];
  if (error instanceof OperatorError) return [1, error.message];
  if (environment.env.LOG_LEVEL === 'debug' && error instanceof Error && error.stack !== undefined) return [1, error.stack];
  return [1, oneLine(`unexpected failure: ${error instanceof Error ? error.message : error} (LOG_LEVEL=debug shows where)`)];
}

function buildProgram(run: Run): Command {
  const { environment } = run;
  // Subcommands inherit these three when they are made, so they come first.
  const program = new Command('gateway')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => environment.stdout(text),
      writeErr: (text) => environment.stderr(text),
      outputError: (text, write) => write(`gateway: ${oneLine(text.replace(/^error: /, '')).trimEnd()}\n`),
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true });

  program
    .description(
      'Self-hosted HTTP/JSON gateway that sends messages from phone numbers linked by QR code. Commands work alongside a running server.',
    )
    .version(environment.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print what a command does')
    .option('--json', 'print the result as one JSON object or array on stdout, and nothing else')
    .addHelpText(
      'after',
      `\n${examples}\n\n${settingsText()}\n\nExit codes: 0 done, 1 failed, 2 wrong usage. More on a command: gateway <command> --help`,
    );

  const groups = [
    addServe,
    addAccount,
    addKey,
    addPlan,
    addProvider,
    addNumber,
    addNode,
    addWhatsApp,
    addUser,
    addFind,
    addRequest,
    addAlert,
    addUsage,
    addAudit,
    addBackup,
    addRestore,
    addMove,
    addImport,
    addMcp,
    addSecret,
    addDoctor,
  ];
  for (const add of groups) add(program, run);
  return program;
}

const examples = `Examples:
  gateway serve
  gateway account create --name "Acme" --plan starter
  gateway key create --account ID --label "web shop"
  gateway number pair INSTANCE_ID
  gateway user invite --email ada@example.com --role owner --account ID
  gateway usage --account ID --from 2026-11-01 --to 2026-11-30
  gateway doctor`;

function settingsText(): string {
  const names = Object.keys(settings);
  const widest = Math.max(...names.map((name) => name.length));
  return `Settings (environment variables):\n${Object.entries(settings)
    .map(([name, meaning]) => `  ${name.padEnd(widest)}  ${meaning}`)
    .join('\n')}`;
}
