import type { Kysely } from 'kysely';
import { OperatorError, OwnershipLost } from '../core/index.ts';
import type { Database, InstanceRow, LinkStatus } from './schema.ts';

/** The right to connect a number and to write what belongs to it. It ends when another server takes the number. */
export interface Lease {
  readonly nodeId: string;
  readonly epoch: number;
}

/** A number that this server owns now. */
export interface Leased {
  readonly row: InstanceRow;
  readonly lease: Lease;
}

/** Another server, or this one, as the database knows it. */
export interface NodeRecord {
  readonly id: string;
  readonly name: string;
  /** Where the others reach it. */
  readonly address: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly draining: boolean;
}

/** What a living node was started with. */
export interface NodeSettings {
  /** The node's, for people. */
  readonly name: string;
  /** By name. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The settings that must be alike, or not, on all nodes. */
export interface Agreement {
  readonly settings: NodeSettings['settings'];
  /** Why this node must not join the others; null: it may. */
  refusal(others: readonly NodeSettings[]): string | null;
}

/** This node does not go with the others. */
export class JoinRefused extends OperatorError {}

/** How the numbers are spread over the nodes. */
export interface Balance {
  /** How many nobody owns and this node can serve. */
  readonly free: number;
  readonly own: number;
  /** How many each node should have; with very many numbers counted minutes ago, as long as that changes nothing for this node. */
  readonly share: number;
  /** Whether this node was asked to give all of its numbers away. */
  readonly draining: boolean;
}

/**
 * Which server owns which number. A server is a node from `join` on and must `renew` before its time is over; then its numbers are free for
 * others, each with a greater epoch. All times are the database's.
 */
export interface Leases {
  /**
   * Makes this process a node that lives for `ttlMs` and takes numbers of these networks only, also after an earlier `join`; resolves to its id.
   * `alone`: all other nodes end, and their numbers are free. Otherwise `agreement` judges them; throws JoinRefused when it refuses.
   */
  join(options: {
    readonly name: string;
    readonly address: string;
    readonly ttlMs: number;
    readonly alone: boolean;
    readonly networks: readonly string[];
    readonly agreement?: Agreement;
  }): Promise<string>;
  /** Renews for `ttlMs` from now. False when this node had expired: it owns nothing any more and must `join` again. */
  renew(ttlMs: number): Promise<boolean>;
  /**
   * Ends the nodes whose time is over, and counts how the numbers are spread. A node whose time would be over later than a renewal reaches gets as long
   * as one: the database's clock was set back.
   */
  balance(): Promise<Balance>;
  own(): Promise<readonly string[]>;
  /** Takes at most `limit` numbers of this node's networks that nobody owns. Their connections count as closed until they are reported. */
  acquire(limit: number): Promise<readonly Leased[]>;
  /** Takes this number if nobody owns it; null when somebody does, or its network is not this node's. */
  take(instanceId: string): Promise<Lease | null>;
  /**
   * The node that owns this instance of the account; null when nobody does. Undefined when the account has no such instance, and when nobody owns it
   * because its network is not enabled. Before this process has joined, a number that nobody owns is null whatever its network.
   */
  ownerOf(accountId: string, instanceId: string): Promise<Pick<NodeRecord, 'id' | 'address'> | null | undefined>;
  /** Stores the connection states of these numbers, for others. What is not this node's own is left alone. */
  report(statuses: ReadonlyMap<string, LinkStatus>): Promise<void>;
  /** The connection states of all numbers, or of these, as their owners reported them; numbers that nobody owns are left out. */
  statuses(instanceIds?: readonly string[]): Promise<ReadonlyMap<string, LinkStatus>>;
  /** Gives numbers back for others to take. Those that others have taken stay theirs. */
  release(instanceIds: readonly string[]): Promise<void>;
  /** The nodes whose time is not over, oldest first. */
  nodes(): Promise<readonly NodeRecord[]>;
  /** How many numbers each of them owns, by id; nodes without any may be left out. Goes through all leases. */
  numbersOfNodes(): Promise<ReadonlyMap<string, number>>;
  /** Has a node give all of its numbers away, or no more. False when there is no such node. */
  drain(nodeId: string, draining: boolean): Promise<boolean>;
  /** Ends this node: its numbers are free at once. */
  leave(): Promise<void>;
}

/**
 * Keeps others from taking the number until the transaction ends. Throws OwnershipLost when another server owns it by now. Does nothing for a
 * store with one server only (`lease` is null), and for a number that is deleted, of which nothing can be written.
 */
export async function holdLease(trx: Kysely<Database>, instanceId: string, lease: Lease | null): Promise<void> {
  if (lease !== null) judge(await leaseOf(trx, instanceId).forShare().executeTakeFirst(), lease);
}

/** As `holdLease`, but for this moment only. */
export async function checkLease(db: Kysely<Database>, instanceId: string, lease: Lease | null): Promise<void> {
  if (lease !== null) judge(await leaseOf(db, instanceId).executeTakeFirst(), lease);
}

function leaseOf(db: Kysely<Database>, instanceId: string) {
  return db.selectFrom('leases').select(['node_id', 'epoch']).where('instance_id', '=', instanceId);
}

function judge(held: { readonly node_id: string | null; readonly epoch: number } | undefined, lease: Lease): void {
  if (held !== undefined && (held.node_id !== lease.nodeId || held.epoch !== lease.epoch)) throw new OwnershipLost();
}
