import type { CloseReason } from '../networks/index.ts';

/** What happens to the links and the numbers of this process, for those who count it. Called at every such moment; must not throw. */
export interface SessionEvents {
  /** A link ended by itself; unless the number is gone or parked, it connects again. */
  linkEnded(network: string, reason: CloseReason): void;
  /** So many numbers that nobody owned are this node's own from now on. */
  taken(numbers: number): void;
  /** So many numbers were given back for other nodes. */
  given(numbers: number): void;
  /** This node has lost its right to all of its numbers. */
  rightLost(): void;
  /** A write about a number was refused, because another server owns it. */
  staleWriteRefused(): void;
}
