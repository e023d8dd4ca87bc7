import type { Act } from '../audit/index.ts';
import type { Run } from './environment.ts';

/** A change made from the command line, now. */
export function byCommandLine({ environment }: Run): Act {
  return { actor: { kind: 'command_line' }, now: environment.clock.now() };
}
