import type { Readable } from 'node:stream';
import type { Act } from '../audit/index.ts';
import type { BrandedMail } from '../branding/index.ts';
import { type Config, readConfig } from '../config/index.ts';
import { type Clock, OperatorError, type Vault } from '../core/index.ts';
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
  readonly stdin: Readable;
  stdout(text: string): void;
  stderr(text: string): void;
  /** The next line that is typed or pasted; null when there will be none. Rejects when aborted. */
  nextLine(signal: AbortSignal): Promise<string | null>;
  /** Opens the store the settings name; with `create`, an embedded one that is not there yet is made. */
  openStore(config: Config, options?: { readonly create: boolean }): Promise<Store>;
  /** The mail server the settings name; null: none. A mail it does not take is reported on stderr. */
  openMail(config: Config): ({ send(to: string, mail: BrandedMail): Promise<boolean> } & MailProbe) | null;
  /** Encrypts what the sign-in library keeps with the vault's present key; of how many people, and how many of them no key decrypts. */
  resealTwoFactors(store: Store, vault: Vault): Promise<{ readonly resealed: number; readonly unreadable: number }>;
  /** Serves until the process is stopped. */
  serve(config: Config, options: { readonly demo: boolean }): Promise<void>;
}

export interface Run {
  readonly environment: CommandEnvironment;
  /** What the process will exit with when nothing is thrown. */
  exitCode: number;
}

/** Words that do not fit together: exit code 2, where a failure while doing what was asked is 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A change made from the command line, now. */
export function byCommandLine({ environment }: Run): Act {
  return { actor: { kind: 'command_line' }, now: environment.clock.now() };
}

/**
 * Reads the settings, opens the store, does the work and closes the store again, whatever happens. Throws OperatorError when there is no
 * database, or its schema is not this program's: that is brought up to date by a server alone, since one of an older version may be running.
 * `create`: makes the database when there is none yet.
 */
export async function withStore<T>(
  run: Run,
  work: (store: Store, config: Config) => Promise<T>,
  { create }: { readonly create: boolean } = { create: false },
): Promise<T> {
  const config = readConfig(run.environment.env);
  const store = await run.environment.openStore(config, { create });
  try {
    if (create && (await store.schema()).applied.length === 0) await store.migrate();
    await requireCurrent(store);
    return await work(store, config);
  } finally {
    await store.close();
  }
}

async function requireCurrent(store: Store): Promise<void> {
  const { applied, pending } = await store.schema();
  if (applied.length === 0) throw new OperatorError('the database is empty; make its tables with gateway serve or gateway account create');
  if (pending.length > 0) {
    throw new OperatorError(
      'the database was last used by an older version of the gateway; start the server of this version (gateway serve), which brings it up to date, and try again',
    );
  }
}
