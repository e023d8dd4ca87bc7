import type { Actor } from '../accounts/index.ts';
import type { Clock, Log, Semaphore } from '../core/index.ts';
import type { CloseReason, CredentialStore, MessageEvent, MessageNews, Network } from '../networks/index.ts';
import type { Lease } from '../store/index.ts';
import type { ChatBudgets } from './chat-budget/chat-budgets.ts';
import type { NumberEvent } from './history/number-event.ts';
import type { PairingStep } from './live-events.ts';
import type { NewChatsColumns } from './new-chats.ts';
import type { RestrictionColumns } from './restriction.ts';

/** What a session works with; `Sessions` provides it. */
export interface SessionOptions {
  readonly network: Network;
  /** null: the store has one server only. */
  readonly lease: Lease | null;
  /** Whether this process can prove its right to its numbers at this moment. */
  holdsLeases(): boolean;
  readonly credentials: CredentialStore;
  readonly clock: Clock;
  readonly random: () => number;
  /** Limits how many sessions log in at once. */
  readonly logins: Semaphore;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** The number's current proxy; null for none. */
  proxy(): string | null;
  /** Which events of its messages somebody wants to be told. */
  wantedEvents(): ReadonlySet<MessageEvent>;
  /** Stores what became of its messages. */
  tellOfMessages(news: readonly MessageNews[]): Promise<void>;
  /** The budget of new chats that the number's owner has set. */
  readonly chatBudgets: Pick<ChatBudgets, 'budget' | 'of' | 'send'>;
  /** Whether another session of the account is linked with this number. */
  linkedElsewhere(phoneNumber: string): boolean;
  /** The same for the sessions of other nodes. */
  linkedOnOtherNode(phoneNumber: string): Promise<boolean>;
  /** Whether credentials are stored. A phone may have linked although the number has never been open. */
  hasCredentials(): Promise<boolean>;
  /** Stores changed columns of the instance; resolves when they are stored. */
  keep(change: { phone_number?: string; conflict?: number } & Partial<RestrictionColumns & NewChatsColumns>): Promise<void>;
  /** Like `keep`, for a phone number that is newly linked. False, with nothing stored, when another node linked it at the same moment. */
  keepLinked(change: { phone_number: string } & RestrictionColumns, linkedBy: Actor): Promise<boolean>;
  /** Must be called whenever the visible state of the instance may have changed. */
  changed(): void;
  /** A pairing attempt has reached this step. */
  pairing(step: PairingStep): void;
  /** Something happened that the number's history tells. */
  happened(event: NumberEvent): void;
  /** The link ended by itself. */
  linkEnded(reason: CloseReason): void;
  /** The store says that another server owns the number: this session ends. */
  ownedElsewhere(): void;
  /** Counts the number as connected on this UTC day. */
  seenConnected(phoneNumber: string, day: string): Promise<void>;
}
