import type { Act } from '../../src/audit/index.ts';

/** A change made at this time (epoch milliseconds), where it does not matter by whom. */
export const at = (now: number): Act => ({ actor: { kind: 'command_line' }, now });
