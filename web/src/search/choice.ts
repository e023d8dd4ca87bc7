import type { ComponentType } from 'react';

/** Something that the palette offers. */
export interface Choice {
  /** Unlike those of all others. */
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  /** The page it leads to; absent: it has none that the person may open. */
  readonly href?: string | undefined;
  /** The account to act for first; absent: whichever it is. */
  readonly accountId?: string | undefined;
  /** An object, which is remembered when it was chosen; pages and actions are not. */
  readonly object?: true;
}
