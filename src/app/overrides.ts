import type { Logger } from 'pino';
import type { Clock } from '../core/index.ts';
import type { ConnectionLimits } from '../http/index.ts';
import type { Lookup } from '../media/index.ts';
import type { Network } from '../networks/index.ts';
import type { Passwords } from '../portal/index.ts';
import type { Dialect, SchemaChanges, Store } from '../store/index.ts';

/** What tests and benchmarks put in the place of the real thing. */
export interface Overrides {
  readonly clock?: Clock;
  readonly random?: () => number;
  /** What is compared with the database's clock: the machine's, unless a test has a `clock` of its own. */
  readonly wallClock?: Pick<Clock, 'now'>;
  /** The clock by which new keys of the installation are looked for; the real one even where days pass at once. */
  readonly keyClock?: Clock;
  readonly lookup?: Lookup;
  readonly passwords?: Passwords | undefined;
  readonly log?: Logger;
  readonly connectionLimits?: Partial<ConnectionLimits>;
  /** The clock of Redis, in milliseconds. */
  readonly redisTime?: () => number;
  /** How long a stop waits for each part of the program; for the server, besides the time its requests have. */
  readonly closeMs?: number;
  /** Instead of the networks named in the settings. */
  readonly networks?: (store: Store) => readonly Network[];
  /** Instead of the changes of the schema that this release has. */
  readonly schemaChanges?: (dialect: Dialect) => SchemaChanges;
  /** Called for every route of the server. */
  readonly onRoute?: (route: { readonly method: string | string[]; readonly url: string }) => void;
}
