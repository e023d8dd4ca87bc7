export type { CommandEnvironment } from './environment.ts';
export { runCommandLine } from './program.ts';
