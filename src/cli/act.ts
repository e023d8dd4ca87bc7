import type { Act } from '../accounts/index.ts';
import type { Run } from './world.ts';

/** A change made from the command line, now. */
export function byCommandLine({ world }: Run): Act {
  return { actor: { kind: 'command_line' }, now: world.clock.now() };
}
