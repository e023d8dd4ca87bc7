import type { MachineCondition } from '../conditions.ts';

/** Looks for one condition of the machine. */
export interface Watch {
  readonly condition: MachineCondition;
  /** Of this server, or of the installation, whose servers all find the same. */
  readonly of: 'server' | 'installation';
  /**
   * Why the condition holds, in plain words without a full stop; null: it does not. `lasting`: it held when last looked at. A condition ends only
   * when it is clearly over, so that it does not begin again and again.
   */
  look(now: number, lasting: boolean): Promise<string | null> | string | null;
}
