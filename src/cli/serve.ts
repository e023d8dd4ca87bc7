import type { Command } from 'commander';
import { readConfig } from '../config/index.ts';
import type { Run } from './environment.ts';

export function addServe(program: Command, run: Run): void {
  program
    .command('serve')
    .summary('run the gateway')
    .description(
      'Run the gateway until it is stopped (Ctrl-C or SIGTERM). Environment variables set where it listens and where it keeps its data.',
    )
    .option(
      '--demo',
      'first create a demo account with a key and a paired sandbox number, and print how to send a message (what npm start does)',
    )
    .addHelpText(
      'after',
      `
Examples:
  gateway serve
  PORT=8080 DATA_DIR=/var/lib/gateway gateway serve`,
    )
    .action(async (options: { demo?: boolean }) => {
      await run.environment.serve(readConfig(run.environment.env), { demo: options.demo === true });
    });
}
