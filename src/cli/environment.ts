import type { BrandedMail } from '../branding/index.ts';
import type { Config } from '../config/index.ts';
import type { Clock, Vault } from '../core/index.ts';
import type { MailProbe } from '../health/index.ts';
import type { Store } from '../store/index.ts';

/** All that the command line touches, given to it by the composition root (and by tests). */
export interface CommandEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Whether stdout is a terminal that understands escape sequences. */
  readonly isTerminal: boolean;
  /** The program's version. */
  readonly version: string;
  stdout(text: string): void;
  stderr(text: string): void;
  /** The next line that is typed or pasted; null when there will be none. Rejects when aborted. */
  nextLine(signal: AbortSignal): Promise<string | null>;
  /** Opens the store the settings name; with `create`, an embedded one that is not there yet is made. */
  openStore(config: Config, options?: { readonly create: boolean }): Promise<Store>;
  /** The mail server the settings name; null: none. A mail it does not take is told on stderr. */
  openMail(config: Config): ({ send(to: string, mail: BrandedMail): Promise<boolean> } & MailProbe) | null;
  /** Encrypts what the sign-in library keeps with the vault's present key; of how many people, and how many of them no key decrypts. */
  resealTwoFactors(store: Store, vault: Vault): Promise<{ readonly resealed: number; readonly unreadable: number }>;
  /** Serves until the process is told to stop. */
  serve(config: Config, options: { readonly demo: boolean }): Promise<void>;
}

/** One run of the command line. */
export interface Run {
  readonly environment: CommandEnvironment;
  /** What the process will exit with when nothing is thrown. */
  exitCode: number;
}

/** Words that do not fit together: exit code 2, where a failure while doing what was asked is 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
