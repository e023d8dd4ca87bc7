import type { Clock, Log, Semaphore } from '../core/index.ts';
import type { CloseReason, MessageEvent, MessageNews, Network } from '../networks/index.ts';
import type { Agreement } from '../store/index.ts';
import type { ChatBudgets } from './chat-budget/chat-budgets.ts';
import type { ConnectedDays } from './connected-days.ts';
import type { ConnectionState } from './connection-state.ts';
import type { NumberHistory } from './history/number-history.ts';
import type { SessionFeed } from './live-events.ts';
import type { NumberRecord } from './number-record.ts';
import type { OwnSessions } from './own-sessions.ts';
import type { FollowedProxies } from './proxies.ts';
import type { ReconnectHints } from './reconnect.ts';

/** What happens to the connections and the numbers of this process, for those who count it. Called at every such moment; must not throw. */
export interface SessionEvents {
  /** A connection ended by itself; unless the number is gone or parked, it connects again. */
  connectionEnded(network: string, reason: CloseReason): void;
  /** So many numbers that nobody owned are this server's own from now on. */
  taken(numbers: number): void;
  /** So many numbers were given back for other servers. */
  given(numbers: number): void;
  /** This server has lost its right to all of its numbers. */
  rightLost(): void;
  /** A write about a number was refused, because another server owns it. */
  staleWriteRefused(): void;
}

/** The other servers of the database, and how this one is one of them. */
export interface ClusterSide {
  address(): string;
  /** What this server must agree on with the others. */
  readonly agreement: Agreement;
  /** Rejects when this process must not join the others now. */
  mayJoin(): Promise<void>;
  /** This server has this id from now on, and no longer an earlier one. */
  joined(nodeId: string): void;
  /** Lets the others know that there are numbers that nobody owns. */
  announceFree(): void;
}

export interface MessageFollowers {
  /** The events of the account's messages that somebody follows. */
  wanted(accountId: string): ReadonlySet<MessageEvent>;
  /** Has the listener called whenever `wanted` has other answers. */
  onChange(listener: () => void): void;
  /** Resolves when it is stored. */
  report(of: { readonly accountId: string; readonly instanceId: string }, news: readonly MessageNews[]): Promise<void>;
}

export interface SharedParts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Limits how many numbers log in at once. */
  readonly logins: Semaphore;
  readonly siblings: Pick<OwnSessions, 'isLinked'>;
  readonly hints: Pick<ReconnectHints, 'onBack'>;
  readonly proxies: Pick<FollowedProxies, 'of' | 'refresh'>;
  readonly chatBudgets: Pick<ChatBudgets, 'budget' | 'of' | 'send'>;
  readonly history: Pick<NumberHistory, 'add'>;
  readonly days: Pick<ConnectedDays, 'count'>;
  readonly feed: SessionFeed;
  /** null: nobody counts. */
  readonly events: SessionEvents | null;
  /** null: nobody follows messages. */
  readonly followers: Pick<MessageFollowers, 'wanted' | 'report'> | null;
}

export interface NumberParts extends SharedParts {
  readonly network: Network;
  readonly record: NumberRecord;
  readonly state: ConnectionState;
}
